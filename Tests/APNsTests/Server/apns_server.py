"""A server that answers as APNs does, for tests: HTTP/2 by h2, TLS by Python's ssl, provider tokens checked by PyJWT.

usage: apns_server.py CERTIFICATE KEY PUBLIC_KEY RULES [MAX_STREAMS]

It prints `port N`, then a line of JSON for each request and for each connection that begins or ends. RULES is a JSON list; the
first rule that matches a request says what becomes of it, and without one it is answered with 200:

  {"device": PREFIX, "connection": N, "from": N, "times": N, ...}   when: the path's last part, the connection's number, requests
                                                                   of the whole run from the N-th on, and how often at most
  "status", "reason", "timestamp", "headers"                       the answer
  "delay": seconds                                                 before the answer
  "hold": N                                                        not before N are held; then in reverse order
  "goaway": true                                                   refuse this stream and all above it, and take no more on this connection
  "drop": true                                                     close the connection at once
  "silent": true                                                   never answer
  "slow": seconds                                                  read nothing more for so long
A request for /early is answered with 413 before its body is read.
"""
import asyncio
import json
import ssl
import sys

import h2.config
import h2.connection
import h2.events
import h2.settings
import jwt
from hyperframe.frame import GoAwayFrame


class Server:
    def __init__(self, public_key, rules, max_streams):
        self.public_key, self.rules, self.max_streams = public_key, rules, max_streams
        self.connections = 0
        self.requests = 0
        self.used = [0] * len(rules)

    def rule(self, connection, device):
        for place, rule in enumerate(self.rules):
            if not device.startswith(rule.get("device", "")) or rule.get("connection", connection) != connection:
                continue
            if self.requests < rule.get("from", 0) or self.used[place] >= rule.get("times", 1 << 60):
                continue
            self.used[place] += 1
            return rule
        return {}

    def token(self, headers):
        """What the provider token says, verified; a string is why it is none."""
        scheme, _, token = headers.get("authorization", "").partition(" ")
        try:
            if scheme != "bearer":
                return "no bearer"
            claims = jwt.decode(token, self.public_key, algorithms=["ES256"], options={"require": ["iss", "iat"]})
            return {"kid": jwt.get_unverified_header(token)["kid"], "iss": claims["iss"], "iat": claims["iat"]}
        except jwt.PyJWTError as error:
            return str(error)


def tell(**facts):
    print(json.dumps(facts), flush=True)


class Connection(asyncio.Protocol):
    def __init__(self, server):
        self.server = server
        server.connections += 1
        self.number = server.connections
        config = h2.config.H2Configuration(client_side=False, header_encoding="utf-8")
        self.h2 = h2.connection.H2Connection(config)
        self.streams, self.held, self.last = {}, [], None
        self.open = self.most = 0

    def connection_made(self, transport):
        self.transport = transport
        tell(event="connected", connection=self.number, protocol=transport.get_extra_info("ssl_object").selected_alpn_protocol())
        # Before the first frame, so that the client never sees another limit.
        limits = {h2.settings.SettingCodes.MAX_CONCURRENT_STREAMS: self.server.max_streams}
        self.h2.local_settings = h2.settings.Settings(client=False, initial_values=limits)
        self.h2.initiate_connection()
        self.flush()

    def connection_lost(self, error):
        tell(event="disconnected", connection=self.number, most=self.most)

    def flush(self):
        data = self.h2.data_to_send()
        if data and not self.transport.is_closing():
            self.transport.write(data)

    def data_received(self, data):
        for event in self.h2.receive_data(data):
            if isinstance(event, h2.events.RequestReceived):
                self.streams[event.stream_id] = [dict(event.headers), b""]
                self.open += 1
                self.most = max(self.most, self.open)
                if self.streams[event.stream_id][0][":path"] == "/early":
                    self.h2.send_headers(event.stream_id, [(":status", "413")], end_stream=True)
            elif isinstance(event, h2.events.DataReceived):
                self.streams[event.stream_id][1] += event.data
                if self.streams[event.stream_id][0][":path"] == "/early":
                    # The connection goes on, the stream waits.
                    self.h2.increment_flow_control_window(event.flow_controlled_length)
                else:
                    self.h2.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
            elif isinstance(event, h2.events.StreamEnded):
                self.request(event.stream_id)
            elif isinstance(event, h2.events.StreamReset):
                self.open -= 1
                tell(event="reset", connection=self.number, stream=event.stream_id)
            elif isinstance(event, h2.events.PingReceived):
                tell(event="ping", connection=self.number)
        self.flush()

    def request(self, stream):
        headers, body = self.streams.pop(stream)
        path = headers[":path"]
        if self.last is not None:
            self.open -= 1
            return  # above the last stream of GOAWAY: not even looked at
        self.server.requests += 1
        rule = self.server.rule(self.number, path.rsplit("/", 1)[-1])
        token = self.server.token(headers)
        shown = {name: value for name, value in headers.items() if name != "authorization"}
        facts = dict(event="request", connection=self.number, stream=stream, headers=shown, token=token, body=body.decode())
        if rule.get("goaway"):
            self.last = max(0, stream - 2)
            tell(event="goaway", connection=self.number, last=self.last)
            # h2 itself ends a connection with GOAWAY; a server that goes gently still answers the lower streams.
            self.transport.write(GoAwayFrame(0, last_stream_id=self.last, error_code=0).serialize())
            self.open -= 1
            return
        if rule.get("drop"):
            tell(**facts, status=0)
            self.transport.abort()
            return
        if rule.get("silent"):
            tell(**facts, status=0)
            return
        if rule.get("slow"):
            self.transport.pause_reading()
            asyncio.get_event_loop().call_later(rule["slow"], self.transport.resume_reading)
        status, reason = rule.get("status", 200), rule.get("reason")
        if status == 200 and isinstance(token, str):
            status, reason = 403, "InvalidProviderToken"
        answer = (stream, status, reason, rule, facts)
        if rule.get("hold"):
            self.held.append(answer)
            if len(self.held) >= rule["hold"]:
                held, self.held = self.held, []
                for answer in reversed(held):
                    self.answer(*answer)
        elif rule.get("delay"):
            asyncio.get_event_loop().call_later(rule["delay"], self.answer, *answer)
        else:
            self.answer(*answer)

    def answer(self, stream, status, reason, rule, facts):
        tell(**facts, status=status)
        if self.transport.is_closing():
            return
        headers = [(":status", str(status)), ("apns-id", facts["headers"].get("apns-id", ""))]
        headers += list(rule.get("headers", {}).items())
        self.open -= 1
        try:
            if reason is None:
                self.h2.send_headers(stream, headers, end_stream=True)
            else:
                body = {"reason": reason}
                if "timestamp" in rule:
                    body["timestamp"] = rule["timestamp"]
                self.h2.send_headers(stream, headers)
                self.h2.send_data(stream, json.dumps(body).encode(), end_stream=True)
        except Exception as error:  # the client has given the stream up, or GOAWAY has closed h2's state
            tell(event="unanswered", connection=self.number, stream=stream, error=repr(error))
        self.flush()
        if self.last is not None and self.open == 0:
            # Not while something still comes in: the kernel would take back answers that are on their way.
            asyncio.get_event_loop().call_later(0.2, self.transport.close)


async def main():
    certificate, key, public_key, rules = sys.argv[1:5]
    max_streams = int(sys.argv[5]) if len(sys.argv) > 5 else 1000
    protocol = sys.argv[6] if len(sys.argv) > 6 else "h2"
    server = Server(open(public_key).read(), json.loads(rules), max_streams)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    context.set_alpn_protocols([protocol])
    listening = await asyncio.get_running_loop().create_server(lambda: Connection(server), "127.0.0.1", 0, ssl=context)
    print("port", listening.sockets[0].getsockname()[1], flush=True)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)  # until whoever started it is gone


asyncio.run(main())
