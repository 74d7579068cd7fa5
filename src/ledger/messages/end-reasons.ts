/** Stable word for a message that was not posted before its expiry. */
export const EXPIRED_UNPOSTED = 'expired_before_sending';

/** Why a recipient without a message row has ended. */
export const REASON_WITHOUT_MESSAGE = { pending: null, cancelled: 'cancelled', expired: EXPIRED_UNPOSTED } as const;

/** Stable word for a recipient that the campaign leaves out on purpose. */
export const HOLD_OUT = 'hold_out';
