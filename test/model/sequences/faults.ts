/** What can go wrong at the gateway and on the way to it. */

/** What happens to the next POST of a message. */
export const POST_FAULTS = [
  // The gateway accepts it, and the connection ends without a response.
  'lost',
  // As before, but the request never reached the gateway.
  'lost_absent',
  // Accepted three seconds after the connection has ended.
  'accepted_late',
  // Accepted; the response comes after the timeout.
  'responded_late',
  // Accepted; no response ever comes.
  'hangs',
  'busy_0',
  'busy_2',
  'refused',
  'bad_gateway',
  'unauthorized',
] as const;
export type PostFault = (typeof POST_FAULTS)[number];

/** What happens to the next request that clears a queue: as with a POST. */
export const CLEAR_FAULTS = ['lost', 'lost_absent', 'refused'] as const;
export type ClearFault = (typeof CLEAR_FAULTS)[number];

/** What happens to the next edit. */
export const EDIT_FAULTS = [
  // The gateway applies it, and the connection ends without a response.
  'lost',
  'lost_absent',
  // Applied three seconds after the connection has ended.
  'applied_late',
  'busy',
  'bad_gateway',
] as const;
export type EditFault = (typeof EDIT_FAULTS)[number];

/** The status of the next responses of the journal. */
export const READ_FAULTS = [502, 429] as const;

/** What happens to the next notification. */
export const NOTIFICATION_FAULTS = ['lost', 'doubled', 'delayed'] as const;
export type NotificationFault = (typeof NOTIFICATION_FAULTS)[number];

/** Why a recipient of a campaign does not get its messages. */
export const UNREACHED = ['failed', 'no_account', 'rejected'] as const;
export type Unreached = (typeof UNREACHED)[number];
