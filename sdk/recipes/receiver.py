"""A receiver of Tether's calls in plain Python 3.9+: no packages. It checks signatures, and runs each write once.

    TETHER_SIGNING_SECRET=whsec_… python3 receiver.py

The claim of a write and its effect are one transaction of the same database (SQLite here): a process that dies in between leaves
neither, and a repetition gets the answer that the first one got.
"""

import hashlib
import hmac
import json
import os
import re
import sqlite3
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRET = os.environ["TETHER_SIGNING_SECRET"].encode()
DATABASE = os.environ.get("DATABASE", "shop.sqlite")


class Refused(Exception):
    """You will not do it. It is remembered: 409 conflict, 422 invalid, 403 forbidden, 404 not found."""

    def __init__(self, status, message):
        super().__init__(message)
        self.status = status


def get_order(db, call):
    row = db.execute("select number, state from orders where number = ?", (call["arguments"]["number"],)).fetchone()
    return None if row is None else {"number": row[0], "state": row[1]}


def refund_order(db, call):
    number = call["arguments"]["number"]
    changed = db.execute("update orders set state = 'refunded' where number = ? and state = 'paid'", (number,))
    if changed.rowcount == 0:
        raise Refused(409, "There is no paid order of this number.")
    return get_order(db, call)


# Which of them write is decided here, and by no body.
READS = {"get_order": get_order}
WRITES = {"refund_order": refund_order}


def is_signed(headers, body):
    """HMAC-SHA256 over "{timestamp}.{raw body}", keyed with the whole secret text; at most 300 seconds old."""
    timestamp = headers.get("X-Service-Timestamp", "")
    if not re.fullmatch(r"[0-9]{1,12}", timestamp) or abs(time.time() - int(timestamp)) > 300:
        return False
    expected = "sha256=" + hmac.new(SECRET, timestamp.encode() + b"." + body, hashlib.sha256).hexdigest()
    # As bytes: compare_digest refuses text that is not ASCII.
    return hmac.compare_digest(expected.encode(), headers.get("X-Service-Signature", "").encode())


def is_call(body):
    """A complete one, which says twice whether it writes. The same secret signs what an imported API is sent, and that is no call."""
    return (
        (body.get("mode"), body.get("is_write")) in (("read", False), ("execute", True))
        and all(isinstance(body.get(name), str) and body[name] for name in ("request_id", "tool", "occurred_at"))
        and all(isinstance(body.get(name), dict) for name in ("arguments", "tenant", "user"))
        and "customer" in body
    )


def open_database():
    # "begin immediate" below waits for whoever writes; the timeout says for how long.
    db = sqlite3.connect(DATABASE, timeout=15, isolation_level=None)
    db.execute("create table if not exists claims (request_id text primary key, status integer, body text)")
    db.execute("create table if not exists orders (number text primary key, state text)")
    return db


def perform_once(db, tool, call):
    key = call["request_id"]
    db.execute("begin immediate")
    try:
        known = db.execute("select status, body from claims where request_id = ?", (key,)).fetchone()
        if known is not None:
            db.execute("rollback")
            return known
        db.execute("savepoint work")
        try:
            answer = (200, json.dumps(tool(db, call)))
        except Refused as refused:
            # What it did before it refused is not kept, and the refusal is.
            db.execute("rollback to work")
            answer = (refused.status, json.dumps({"message": str(refused)}))
        db.execute("insert into claims values (?, ?, ?)", (key, *answer))
        db.execute("commit")
        return answer
    except BaseException:
        if db.in_transaction:
            db.execute("rollback")
        raise


def answer(headers, body):
    if not is_signed(headers, body):
        return 401, json.dumps({"message": "The signature does not match, or is too old."})
    # As UTF-8: bytes alone would be taken for UTF-16 where they look like it.
    call = json.loads(body.decode())
    # Events and tests run nothing. Keep events by their request_id: each may come more than once.
    if isinstance(call, dict) and call.get("type") in ("event", "endpoint_test"):
        return 204, ""
    if not isinstance(call, dict) or call.get("type") != "tool_call" or not is_call(call):
        return 400, json.dumps({"message": "It is signed, but is no tool call and no event."})
    tool = (WRITES if call["is_write"] else READS).get(call["tool"])
    if tool is None:
        return 421, json.dumps({"message": "There is no such tool here."})
    db = open_database()
    try:
        if call["is_write"]:
            try:
                return perform_once(db, tool, call)
            except Exception as error:  # rolled back: nothing was applied, and it may be sent again
                print(f"{call['tool']} failed: {error!r}", flush=True)
                return 429, json.dumps({"message": "Nothing was applied."})
        try:
            result = tool(db, call)
        except Refused as refused:
            return refused.status, json.dumps({"message": str(refused)})
        if result is None:
            return 404, json.dumps({"status": "not_found", "message": "There is no such thing."})
        return 200, json.dumps(result)
    finally:
        db.close()


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        length = int(self.headers.get("Content-Length", 0))
        if length > 1024 * 1024:
            self.close_connection = True
            return self.reply(413, "")
        body = self.rfile.read(length)
        try:
            status, text = answer(self.headers, body)
        except Exception as error:
            print(f"failed: {error!r}", flush=True)
            status, text = 500, json.dumps({"message": "The server failed."})
        self.reply(status, text)

    def reply(self, status, text):
        data = text.encode()
        self.send_response(status)
        if data:
            self.send_header("Content-Type", "application/json")
        if status != 204:
            self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_):
        pass


if __name__ == "__main__":
    open_database().execute("insert or ignore into orders values ('A-1001', 'paid')")
    server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "3000"))), Handler)
    print(f"Your tools are at http://127.0.0.1:{server.server_port}/tools", flush=True)
    server.serve_forever()
