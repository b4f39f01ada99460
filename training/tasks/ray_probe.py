"""What a computer of a cluster says of itself. Ray sends the source of this module: it may lack the program."""


def about() -> dict[str, str]:
    """Version and digest of the program, empty where it is not installed, and names of computer and processor."""
    import platform

    answer = {"version": "", "code": "", "processor": "", "name": platform.node()}
    try:
        from training import version

        answer |= {"version": version.version(), "code": version.code_digest(), "processor": version.processor()}
    except Exception as error:
        answer["error"] = type(error).__name__
    return answer
