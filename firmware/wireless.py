"""A Pico W on the air: joins the network and opens the broker, with TLS unless the configuration says otherwise."""

import binascii
import socket

import framing
from link import MqttLink
from mqtt import MqttClient, MqttError

_TIMEOUT_S = 3  # for each step, so that all of them stay within the watchdog's time


def mqtt_link(config, me, clock):
    """The link of a board with the transport mqtt."""
    prefix = "makabana/%s/%s" % (config["mqtt"]["table"], me.node)
    return MqttLink(Connector(config, me, prefix, clock), prefix, clock)


class Connector:
    """Called for each new connection. Gives a client that is logged in, or raises OSError."""

    def __init__(self, config, me, prefix, clock):
        self._wifi = config.get("wifi")
        self._mqtt = config["mqtt"]
        self._me = me
        self._prefix = prefix
        self._clock = clock
        self._station = None

    def __call__(self):
        if self._wifi:
            self._join()
        mqtt = self._mqtt
        client = MqttClient(self._open(), self._clock, "makabana-" + self._me.node)
        try:
            client.connect(mqtt["user"], mqtt["password"], self._prefix + "/status", self._will())
        except OSError:
            client.close()
            raise
        return client

    def _join(self):
        """Asks for the network and leaves; a later call finds it joined."""
        import network

        if self._station is None:
            self._station = network.WLAN(network.STA_IF)
            self._station.active(True)
        if not self._station.isconnected():
            self._station.connect(self._wifi["ssid"], self._wifi.get("password", ""))
            raise MqttError("the network is not joined yet")

    def _open(self):
        mqtt = self._mqtt
        address = socket.getaddrinfo(mqtt["host"], mqtt.get("port", 8883), 0, socket.SOCK_STREAM)[0][-1]
        sock = socket.socket()
        try:
            sock.settimeout(_TIMEOUT_S)
            sock.connect(address)
            return self._secured(sock) if mqtt.get("tls", True) else sock
        except OSError:
            sock.close()
            raise
        except ValueError as error:  # so MicroPython says that it does not trust a certificate
            sock.close()
            raise MqttError("TLS: %s" % error)  # noqa: B904 - MicroPython warns of chains

    def _secured(self, sock):
        """TLS with the broker's certificate checked against our authority, and no other."""
        import ssl

        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        with open(self._mqtt["ca"], "rb") as file:  # noqa: PTH123 - MicroPython has no pathlib
            context.load_verify_locations(cadata=der_of(file.read()))
        context.verify_mode = ssl.CERT_REQUIRED
        return context.wrap_socket(sock, server_hostname=self._mqtt["host"])

    def _will(self):
        encoder = framing.Encoder(256)
        frame = encoder.encode("gone", {"node": self._me.node, "boot": self._me.boot, "ticks": 0})
        return bytes(frame[: len(frame) - 1])


def der_of(certificate):
    """A certificate as plain bytes: the boards' TLS does not read PEM."""
    start = certificate.find(b"-----BEGIN CERTIFICATE-----")
    if start < 0:
        return certificate
    end = certificate.find(b"-----END", start)
    return binascii.a2b_base64(certificate[start + 27 : end])
