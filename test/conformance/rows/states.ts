import { row, rowsOf } from '../row.js';

const EFFECT_IS_THEIRS = 'an effect inside the gateway; the client only carries the request';

export const STATE_ROWS = rowsOf('States and transitions', [
  row('read-chat.one-message', 'readChat with idMessage marks that incoming message read', {
    simulator: 'only the named message is read afterwards, the response is setRead true',
    rule: true,
    client: 'idMessage is sent when given',
  }),
  row('read-chat.all-unread', 'readChat without idMessage marks all unread messages of the chat', {
    simulator: 'all messages of that chat are read afterwards, none of another chat',
    rule: true,
    client: 'idMessage is left out of the body when not given',
  }),
  row('read-chat.not-before-setting', 'a message that came before the setting was on stays delivered', {
    simulator: 'an earlier message stays unread after readChat, a later one is read',
    rule: true,
    absent: EFFECT_IS_THEIRS,
  }),
  row('outgoing.accepted-then-queued', 'an accepted send is in the queue, at most 24 hours, until authorized', {
    simulator: 'the accepted item is listed by showMessagesQueue until it leaves, then not',
    rule: 'queue.waits-until-authorized',
    absent: EFFECT_IS_THEIRS,
  }),
  row('edit.inside-window', 'inside 15 minutes of sending the text changes', {
    simulator: 'at 14:59 after sending the phone shows the new text',
    rule: true,
    absent: EFFECT_IS_THEIRS,
  }),
  row('edit.no-second-message', 'an edit gives the members of the chat no new notification', {
    simulator: 'the phone has one message with an edit, not two messages',
    rule: true,
    absent: EFFECT_IS_THEIRS,
  }),
  row('edit.window-15-minutes', 'later than 15 minutes after sending nothing changes', {
    simulator: 'at 15:01 after sending the phone keeps the old text',
    rule: true,
    absent: EFFECT_IS_THEIRS,
  }),
  row('edit.window-counts-from-sending', 'the window begins with sending, not with acceptance', {
    simulator: 'a message queued for an hour can be edited 14 minutes after it left',
    rule: true,
    absent: EFFECT_IS_THEIRS,
  }),
  row('edit.late-answers-200', 'a late edit is answered 200 too', {
    simulator: 'status 200 with an idMessage at 15:01',
    rule: true,
    client: 'a 200 to editMessage is passed on as accepted, with the id answered, never as edited',
  }),
  row('edit.late-refusal-notice', 'the instance receives a notification that the message was not edited', {
    simulator: 'a failed outgoingMessageStatus for the answered id arrives at the webhook',
    rule: true,
    absent: 'notifications are read by the webhook receiver and tested there',
  }),
  ...(['PENDING', 'APPROVED', 'REJECTED', 'FAILED', 'PAUSED'] as const).map((status) => ({
    id: `template-status.${status}`,
    says: `a template may be ${status}`,
    simulator: `a template decided ${status} is answered with that status`,
    dropField: 'status',
    client: `${status} is read`,
  })),
  row('template-status.pending-when-new', 'a new template is PENDING', {
    simulator: 'createTemplate answers PENDING',
    rule: true,
    client: 'a status outside the five is read as given, not turned into success',
  }),
  row('template-status.reason-when-failed', 'FAILED carries its reason in a further field', {
    simulator: 'a template decided FAILED with a reason shows it under reason',
    rule: true,
    client: 'reason is read',
  }),
]);
