// Sends a message by HTTP and waits until it is delivered. It needs only @everpost/client. Run it against `everpost
// dev`, with Node 20.19 or newer: node examples/send-http.js http://127.0.0.1:8080
import { createClient, EverpostError } from '@everpost/client';

/** @param {string} baseUrl  @param {string} bookingId  @param {string} phone  @param {string} [apiKey] */
export async function sendBooking(baseUrl, bookingId, phone, apiKey) {
  const everpost = createClient({ baseUrl, apiKey });
  return everpost.sendAndWait({
    key: `booking-${bookingId}`, // a repeated call sends nothing more, even after a broken connection
    body: { instance: 'main', to: phone, content: { kind: 'text', text: 'Your table is booked for 7.' } },
    state: 'delivered',
    waitMs: 60_000,
  });
}

if (process.argv[1] === import.meta.filename) {
  try {
    const { id, state } = await sendBooking(process.argv[2] ?? 'http://127.0.0.1:8080', 'A17', '15551234567');
    console.log(JSON.stringify({ id, state }));
  } catch (error) {
    if (!(error instanceof EverpostError)) throw error;
    console.error(error.message, error.errors); // e.g. the path of every invalid field
    process.exitCode = 1;
  }
}
