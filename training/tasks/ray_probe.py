"""What a computer of a cluster says of itself. Ray sends the source of this module: it may lack the program."""


def about() -> dict[str, str]:
    """Version and digest of the program that is installed, empty where there is none, and the computer's name."""
    import platform

    answer = {"version": "", "code": "", "name": platform.node()}
    try:
        from training import version

        answer |= {"version": version.version(), "code": version.code_digest()}
    except Exception as error:
        answer["error"] = type(error).__name__
    return answer
