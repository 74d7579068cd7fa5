"""Encrypts the payloads of a Python program for Temporal, like everpost with the same EVERPOST_ENCRYPTION_KEYS.

    pip install temporalio cryptography

docs/privacy.md describes the format. examples/send_message.py uses this module if the variable is set.
"""

import base64
import dataclasses
import os
from collections.abc import Sequence

import temporalio.converter
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from temporalio.api.common.v1 import Payload
from temporalio.converter import DataConverter, DefaultFailureConverterWithEncodedAttributes, PayloadCodec

ENCRYPTED = b"binary/encrypted"
NONCE_BYTES = 12


class EncryptionCodec(PayloadCodec):
    def __init__(self, keys: str) -> None:
        """`keys`: `<id>:<32 bytes in base64>`, separated by commas. The first key encrypts, and all keys decrypt."""
        pairs = [one.strip().split(":", 1) for one in keys.split(",")]
        self.ciphers = {id: AESGCM(base64.b64decode(key)) for id, key in pairs}
        self.first = pairs[0][0]

    async def encode(self, payloads: Sequence[Payload]) -> list[Payload]:
        return [self.encrypted(payload) for payload in payloads]

    async def decode(self, payloads: Sequence[Payload]) -> list[Payload]:
        return [self.plain(one) if one.metadata.get("encoding") == ENCRYPTED else one for one in payloads]

    def encrypted(self, payload: Payload) -> Payload:
        nonce = os.urandom(NONCE_BYTES)
        return Payload(
            metadata={
                "encoding": ENCRYPTED,
                "encryption-cipher": b"AES/GCM/NoPadding",
                "encryption-key-id": self.first.encode(),
            },
            data=nonce + self.ciphers[self.first].encrypt(nonce, payload.SerializeToString(), None),
        )

    def plain(self, payload: Payload) -> Payload:
        id = payload.metadata["encryption-key-id"].decode()
        if id not in self.ciphers:
            raise ValueError(f"A payload was encrypted with key {id}, which is not in EVERPOST_ENCRYPTION_KEYS.")
        nonce, sealed = payload.data[:NONCE_BYTES], payload.data[NONCE_BYTES:]
        return Payload.FromString(self.ciphers[id].decrypt(nonce, sealed, None))


def data_converter(keys: str) -> DataConverter:
    """For `Client.connect(…, data_converter=…)`. It also encrypts messages and stacks of failures."""
    return dataclasses.replace(
        temporalio.converter.default(),
        payload_codec=EncryptionCodec(keys),
        failure_converter_class=DefaultFailureConverterWithEncodedAttributes,
    )
