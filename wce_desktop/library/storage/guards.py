"""What the server itself checks in a library on one, whatever program writes: names, the audit log, blind readings.

* Lines of the audit log, edits, signed reports and keys are written in the name of the account that writes them.
* The log is append-only, each line follows the last one, and the server notes its own time in each.
* No transaction changes labels, findings and the like without a line in the log.
* A reader changes and removes their own edits only.
* What was entered for a study is hidden from its second reader until their reading is finished, which is for good.
"""

from sqlalchemy import Connection

_SAFE = "SECURITY DEFINER SET search_path = pg_catalog, pg_temp"
"""Functions that see what the reader may not see, and find nothing under a name that the reader chose."""
_CHECKS = f"""
CREATE OR REPLACE FUNCTION wce_is_administrator() RETURNS boolean LANGUAGE sql STABLE {_SAFE} AS $$
    SELECT pg_has_role(session_user, 'wce_administrator', 'member')
        OR pg_has_role(session_user, (SELECT relowner FROM pg_class WHERE oid = 'public.audit'::regclass), 'member') $$;
CREATE OR REPLACE FUNCTION wce_copies() RETURNS boolean LANGUAGE sql STABLE {_SAFE} AS $$
    SELECT current_setting('wce.copies', true) = 'on' AND public.wce_is_administrator() $$;
CREATE OR REPLACE FUNCTION wce_hidden() RETURNS SETOF text LANGUAGE sql STABLE {_SAFE} AS $$
    SELECT second_of FROM public.studies
    WHERE read_by = session_user::text AND second_of IS NOT NULL AND state <> 'finished' $$;
CREATE OR REPLACE FUNCTION wce_log_end() RETURNS TABLE (line bigint, hash text) LANGUAGE sql STABLE {_SAFE} AS $$
    SELECT audit_id, hash FROM public.audit ORDER BY audit_id DESC LIMIT 1 $$;
CREATE OR REPLACE FUNCTION wce_own_name() RETURNS trigger LANGUAGE plpgsql {_SAFE} AS $$ BEGIN
    IF NEW.reader IS DISTINCT FROM session_user::text AND public.wce_copies() IS NOT TRUE THEN
        RAISE EXCEPTION 'this account cannot write in the name of another' USING ERRCODE = '42501';
    END IF;
    RETURN NEW;
END $$;
CREATE OR REPLACE FUNCTION wce_log_line() RETURNS trigger LANGUAGE plpgsql {_SAFE} AS $$ BEGIN
    NEW.received_utc = NULL;
    IF public.wce_copies() IS NOT TRUE THEN
        IF NEW.audit_id IS DISTINCT FROM COALESCE((SELECT line FROM public.wce_log_end()), 0) + 1 THEN
            RAISE EXCEPTION 'a line of the audit log follows the last one' USING ERRCODE = '42501';
        END IF;
        NEW.received_utc = to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US+00:00');
    END IF;
    RETURN NEW;
END $$;
CREATE OR REPLACE FUNCTION wce_append_only() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    RAISE EXCEPTION 'the audit log is append-only';
END $$;
CREATE OR REPLACE FUNCTION wce_logged() RETURNS trigger LANGUAGE plpgsql {_SAFE} AS $$ BEGIN
    IF (SELECT xmin FROM public.audit ORDER BY audit_id DESC LIMIT 1) IS DISTINCT FROM pg_current_xact_id()::xid
        AND NOT public.wce_is_administrator() THEN
        RAISE EXCEPTION 'a change needs a line in the audit log' USING ERRCODE = '42501';
    END IF;
    RETURN NULL;
END $$;
CREATE OR REPLACE FUNCTION wce_second_reading() RETURNS trigger LANGUAGE plpgsql {_SAFE} AS $$ BEGIN
    IF (NEW.read_by <> OLD.read_by OR OLD.state = 'finished' AND NEW.state <> 'finished')
        AND NOT public.wce_is_administrator() THEN
        RAISE EXCEPTION 'a finished second reading stays finished' USING ERRCODE = '42501';
    END IF;
    RETURN NEW;
END $$;
ALTER TABLE audit ADD COLUMN IF NOT EXISTS received_utc text;
CREATE INDEX IF NOT EXISTS ix_studies_second ON studies (read_by) WHERE second_of IS NOT NULL;
CREATE OR REPLACE TRIGGER audit_append_only BEFORE UPDATE OR DELETE ON audit
    FOR EACH ROW WHEN (current_setting('wce.clears', true) IS DISTINCT FROM 'on')
    EXECUTE FUNCTION wce_append_only();
CREATE OR REPLACE TRIGGER audit_whole BEFORE TRUNCATE ON audit EXECUTE FUNCTION wce_append_only();
CREATE OR REPLACE TRIGGER audit_line BEFORE INSERT ON audit FOR EACH ROW EXECUTE FUNCTION wce_log_line();
CREATE OR REPLACE TRIGGER second_reading BEFORE UPDATE ON studies
    FOR EACH ROW WHEN (OLD.second_of IS NOT NULL) EXECUTE FUNCTION wce_second_reading();
ALTER TABLE edits ENABLE ROW LEVEL SECURITY;
CREATE POLICY shown ON edits FOR SELECT USING (study_id NOT IN (SELECT wce_hidden()));
CREATE POLICY added ON edits FOR INSERT WITH CHECK (study_id NOT IN (SELECT wce_hidden()));
CREATE POLICY own ON edits FOR UPDATE USING (reader = session_user::text);
CREATE POLICY removed ON edits FOR DELETE USING (reader = session_user::text OR wce_is_administrator());
CREATE POLICY other_shown ON links AS RESTRICTIVE USING (other_study_id NOT IN (SELECT wce_hidden()));
"""
_NAMED = """
CREATE OR REPLACE TRIGGER own_name BEFORE INSERT ON {table} FOR EACH ROW EXECUTE FUNCTION wce_own_name();
"""
_LOGGED = """
DROP TRIGGER IF EXISTS logged ON {table};
CREATE CONSTRAINT TRIGGER logged AFTER INSERT OR UPDATE OR DELETE ON {table} DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION wce_logged();
"""  # at the end of the transaction: the lines come last
_HIDDEN = """
ALTER TABLE {table} ENABLE ROW LEVEL SECURITY;
CREATE POLICY shown ON {table} USING (COALESCE(study_id, '') NOT IN (SELECT wce_hidden()));
"""  # the studies are asked for once in a statement, not for each row
_ANNOTATIONS = ("labels", "findings", "landmarks", "boxes", "links", "report_parts")
_ENTERED = (*_ANNOTATIONS, "seen_spans", "fast_spans", "reading_speeds", "reports", "audit")
"""Tables of what was entered for a study."""


def create_guards(connection: Connection) -> None:
    """Create the functions, triggers and policies, in the place of those of another version."""
    policies = connection.exec_driver_sql("SELECT policyname, tablename FROM pg_policies WHERE schemaname = 'public'")
    for name, table in policies.all():
        connection.exec_driver_sql(f"DROP POLICY {name} ON {table}")
    checks = [_CHECKS, *(_NAMED.format(table=table) for table in ("audit", "edits", "reports", "reader_keys"))]
    checks += [_LOGGED.format(table=table) for table in _ANNOTATIONS]
    checks += [_HIDDEN.format(table=table) for table in _ENTERED]
    connection.connection.cursor().execute("".join(checks))
