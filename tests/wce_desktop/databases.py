"""Which tests run with the database in the library's folder, and which on a server too."""

import os
from collections.abc import Mapping
from pathlib import Path

import pytest

HERE = Path(__file__).parent
ON_BOTH = ("library", "session")
"""Folders whose tests run on both."""
PLACE = os.environ.get("WCE_TEST_DATABASE", "here")
"""Where the tests of all other folders have their databases: "here" or "server"."""
_FILE = "the database as a file: pages, log, lock, permissions"
_BACKUPS = "the library's own backups; the server's administrator makes those of a server"
_ENCRYPTION = "encrypts the file of the database"
_ITSELF = "opens both by itself"
_ACCOUNT = "the reader is who the settings name; on a server it is the account"
_OF_BACKUPS = {
    "library/evidence/test_audit_chain": (
        "test_a_log_that_is_shorter_than_that_of_a_backup_is_told",
        "test_a_log_that_was_written_anew_is_told_by_a_backup",
        "test_restoring_an_older_backup_is_a_line_and_no_problem",
        "test_a_cut_after_a_restored_backup_is_told",
        "test_a_database_that_was_replaced_by_hand_is_told_without_a_verdict",
        "test_an_empty_library_in_the_place_of_a_lost_one_is_no_problem",
        "test_a_removed_study_leaves_the_chain_whole_and_is_told",
        "test_a_backup_that_lost_a_removed_study_restores_with_a_whole_chain",
        "test_an_older_log_is_chained_as_it_stands",
        "test_a_backup_of_a_version_without_a_chain_restores_with_one",
        "test_a_backup_that_lost_its_note_is_said",
        "test_a_forged_restore_with_values_that_cannot_be_is_said",
        "test_a_restore_excuses_no_backup_from_after_it",
    ),
    "library/evidence/test_signature": (
        "test_a_signature_comes_back_with_its_report",
        "test_the_private_key_never_reaches_the_library",
        "test_a_report_that_went_with_its_study_or_with_a_restored_backup_is_no_problem",
        "test_a_log_cut_after_a_report_was_signed_is_told_by_the_report",
    ),
    "library/test_reports": (
        "test_backups_hold_signed_reports_and_bring_them_back",
        "test_a_copy_that_failed_is_made_with_the_next_backup",
        "test_a_removed_study_takes_its_copies_with_it_in_time",
        "test_a_version_signed_again_after_restoring_destroys_no_other",
        "test_reports_that_share_an_old_name_are_both_kept",
    ),
    "library/test_removing_studies": (
        "test_a_removed_study_leaves_the_backups_after_an_older_state_came_back",
        "test_a_study_that_a_backup_brings_back_stays",
        "test_an_old_backup_that_lost_the_study_keeps_its_removal_when_it_comes_back",
        "test_a_removal_without_its_line_in_the_log_deletes_nothing",
        "test_rows_of_removals_that_hold_anything_do_not_stop_a_library_from_opening",
        "test_a_removal_without_a_time_zone_counts_as_utc",
        "test_backups_lose_it_after_the_stated_days_and_keep_the_rest",
        "test_copies_in_another_folder_lose_it_too",
        "test_opening_after_a_removal_reports_no_loss",
    ),
}
"""Tests of backups in other modules."""
ONLY_HERE: Mapping[str, str] = {
    **{f"{module}::{name}": _BACKUPS for module, names in _OF_BACKUPS.items() for name in names},
    "library/faults/test_faults": _FILE,
    "library/storage/test_database": _FILE,
    "library/storage/test_definitions": _FILE,
    "library/storage/test_encrypting": _ENCRYPTION,
    "library/storage/test_full_disk": _FILE,
    "library/storage/test_key_files": _ENCRYPTION,
    "library/storage/test_lock": _FILE,
    "library/storage/test_plain_mark": _ENCRYPTION,
    "library/storage/test_private": _FILE,
    "library/storage/test_schema": "databases of older versions; those on a server begin with this one",
    "library/storage/test_sealing": _ENCRYPTION,
    "library/test_backups": _BACKUPS,
    "library/exchange/test_reading_file::test_a_random_reading_survives": "a server logs the account that imports",
    "library/exchange/test_killed_exports": "forks a process, which cannot share the connection of this one",
    "library/test_bad_places": _FILE,
    "library/test_hidden_studies::test_a_killed_program_keeps_it": "forks a process, as test_killed_exports",
    "library/test_hidden_studies::test_a_second_window_waits_and_finds_it_removed": _FILE,
    "library/test_killed_removals": "forks a process, and restores backups",
    "library/test_moving": _FILE,
    "library/test_read_only": _FILE,
    "library/test_recovery": _BACKUPS,
    "library/test_removed_files": "no other computer shares the folder: what is left goes at once, not after a day",
    "library/test_sealed_reports": _ENCRYPTION,
    **dict.fromkeys(
        (
            f"library/sharing/test_{name}"
            for name in (
                "bad_servers",
                "conflicts",
                "guards",
                "listening",
                "roles",
                "server",
                "sharing_checks",
                "tls",
                "upgrading",
            )
        ),
        _ITSELF,
    ),
    "session/test_saving::test_studies_and_the_library_are_never_written_over": _FILE,
    "session/test_session::test_the_reader_of_the_settings_applies_at_once_and_to_studies_opened_later": _ACCOUNT,
    "session/test_session::test_who_reads_is_asked_once_where_only_the_account_is_known": _ACCOUNT,
    "session/test_session::test_a_name_of_the_settings_stays": _ACCOUNT,
    "session/test_work::test_a_run_that_was_stopped_before_it_wrote_its_settings_is_resumed_in_a_moved_library": _FILE,
}
"""Modules, or tests of them, that run with the database in the library's folder only, and why."""


def choose_databases(metafunc: pytest.Metafunc) -> None:
    """Let a test run on both databases, unless it says that it does not."""
    module = Path(str(metafunc.module.__file__)).relative_to(HERE).with_suffix("").as_posix()
    if not module.startswith(ON_BOTH) and PLACE == "here":
        return
    is_only_here = module in ONLY_HERE or f"{module}::{metafunc.function.__name__}" in ONLY_HERE
    places = ["here"] if is_only_here else ["here", "server"] if module.startswith(ON_BOTH) else [PLACE]
    metafunc.fixturenames.insert(0, "database")
    metafunc.parametrize("database", places, indirect=True, scope="module")
