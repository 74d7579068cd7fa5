/** NUL cannot be stored, and half a surrogate pair has no UTF-8: both would arrive as something else than was sent. */
export const UNSENDABLE = /\0|\p{Surrogate}/u;
export const UNSENDABLE_WORDS = 'holds a NUL or half of a surrogate pair, which cannot be sent as given';
/** What would break a line of a list, or steer the terminal that shows it. */
export const BREAKS_LINE = /[\p{Cc}\u2028\u2029]/u;
export const BREAKS_LINE_WORDS = 'holds a line break or a control character';
export const MAX_CAMPAIGN_NAME_CHARACTERS = 200;
/** The most that an idempotency key may have. */
export const MAX_KEY_CHARACTERS = 255;
