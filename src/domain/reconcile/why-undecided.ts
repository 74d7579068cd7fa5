/** Why no witness shows the outcome of a POST, as words for an operator. */
const WHY_UNDECIDED: Readonly<Record<string, string>> = {
  too_early: 'no witness saw it yet',
  nothing_precedes: 'no witness saw it, and the queue held no older message that could prove its absence',
  no_reading: 'the queue could not be read',
  kind_not_listed: 'the queue does not list such messages, and no other witness saw it',
  instance_restarted: 'the instance restarted or its queue was cleared, and no witness saw it',
  QUEUE_CLEARED: 'the gateway had accepted it, and its queue was cleared before it was known to be sent',
  LEDGER_WENT_BACK: 'the ledger was restored from an older copy, and the message may have been sent since',
  restart_wait: 'the instance may have restarted, and no witness saw it',
  instance_removed: 'the instance was removed from the instances file, so no witness can be asked',
  listing_incomplete: 'no witness saw it, and the listing of the queue may be incomplete',
  queue_out_of_order: 'no witness saw it, and the queue was not first in, first out',
  unaccounted_item_in_queue: 'the queue showed an item that may be this message',
};

/** @param why  the reason in the evidence; one without words is returned as it is */
export function whyUndecided(why: string): string {
  return WHY_UNDECIDED[why] ?? why;
}
