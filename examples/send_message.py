"""Sends a message through everpost from Python, edits it, and waits until it is delivered. It connects only to Temporal.

Run it against `everpost dev`:
    pip install temporalio
    python examples/send_message.py --address 127.0.0.1:7233 --to 15551234567 --booking A17

If everpost encrypts its payloads, also `pip install cryptography`, and set the same EVERPOST_ENCRYPTION_KEYS.

docs/contract.md describes every field and response.
"""

import argparse
import asyncio
import json
import os
import sys

import temporalio.converter
from temporalio.client import Client, WorkflowFailureError, WorkflowUpdateFailedError
from temporalio.common import WorkflowIDConflictPolicy
from temporalio.exceptions import ApplicationError
from temporalio.service import RPCError, RPCStatusCode


async def move_booking(client: Client, task_queue: str, booking: str, to: str) -> dict:
    message = await client.start_workflow(
        "message",
        {
            "instance": "main",
            "to": to,
            "content": {"kind": "text", "text": "Your table is booked for 7."},
            "reference": booking,
            "key": f"booking-{booking}",  # a repeated start sends nothing more
        },
        id=f"booking-{booking}",
        task_queue=task_queue,
        id_conflict_policy=WorkflowIDConflictPolicy.USE_EXISTING,
    )
    # Possible before the message leaves, and within 15 minutes of sending. The update id makes a repeated edit safe.
    try:
        edit = await message.execute_update("edit", {"text": "Your table is booked for 8."}, id=f"move-{booking}")
    except RPCError as error:
        if error.status == RPCStatusCode.NOT_FOUND:
            # The run has ended. If it refused its input, this line raises the reason.
            await message.result()
        raise
    arrived = await message.execute_update("waitFor", {"state": "delivered", "timeoutMs": 60_000})
    return {"edit": edit["outcome"], "message": arrived["id"], "reached": arrived["reached"], "state": arrived["state"]}


def converter() -> temporalio.converter.DataConverter:
    keys = os.environ.get("EVERPOST_ENCRYPTION_KEYS")
    if not keys:
        return temporalio.converter.default()
    import encryption_codec

    return encryption_codec.data_converter(keys)


async def main() -> int:
    options = argparse.ArgumentParser()
    options.add_argument("--address", default="127.0.0.1:7233")
    options.add_argument("--namespace", default="default")
    options.add_argument("--task-queue", default="everpost")
    options.add_argument("--to", default="15551234567")
    options.add_argument("--booking", default="A17")
    given = options.parse_args()

    client = await Client.connect(given.address, namespace=given.namespace, data_converter=converter())
    try:
        result = await move_booking(client, given.task_queue, given.booking, given.to)
    except (WorkflowFailureError, WorkflowUpdateFailedError) as failure:
        refusal = failure.cause
        if not isinstance(refusal, ApplicationError):
            raise
        # docs/errors.md lists every `type`. INPUT_INVALID names every problem with its path.
        print(json.dumps({"type": refusal.type, "message": refusal.message, "details": refusal.details[0]}))
        return 1
    print(json.dumps(result))
    return 0


if __name__ == "__main__":
    exit_code = asyncio.run(main())
    sys.stdout.flush()
    # sys.exit may crash, since threads of the client still run (temporalio/sdk-python#300).
    os._exit(exit_code)
