// A backend that sends a message, edits it and waits until it is delivered. It connects only to Temporal. Run it
// against `everpost dev`, with Node 20.19 or newer: node examples/backend.js 127.0.0.1:7233
import { fileURLToPath } from 'node:url';
import { connectEverpost } from 'everpost';

/** @param {string} temporalAddress  @param {string} bookingId  @param {string} phone */
export async function moveBooking(temporalAddress, bookingId, phone) {
  const everpost = connectEverpost({ address: temporalAddress });
  try {
    const message = await everpost.send({
      key: `booking-${bookingId}`, // a repeated call sends nothing more
      instance: 'main',
      to: phone,
      content: { kind: 'text', text: 'Your table is booked for 7.' },
    });
    const edit = await message.edit('Your table is booked for 8.'); // before it leaves, or within 15 minutes of sending
    const { state } = await message.waitFor('delivered');
    return { id: message.id, edit: edit.outcome, state };
  } finally {
    await everpost.close();
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  console.log(await moveBooking(process.argv[2] ?? '127.0.0.1:7233', 'A17', '15551234567'));
}
