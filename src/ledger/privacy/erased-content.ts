import type { MessageContent, MessageKind } from '../../contract/index.js';

const WORD = '[erased]';

/** What remains of a message's content: its kind. */
export const ERASED_CONTENT: { readonly [Kind in MessageKind]: Extract<MessageContent, { kind: Kind }> } = {
  text: { kind: 'text', text: WORD },
  file: { kind: 'file', url: 'https://erased.invalid/', fileName: WORD },
  status: { kind: 'status', text: WORD },
  poll: { kind: 'poll', message: WORD, options: [{ optionName: '1' }, { optionName: '2' }] },
  location: { kind: 'location', latitude: 0, longitude: 0 },
  contact: { kind: 'contact', contact: { phoneContact: 0, firstName: WORD } },
  forward: { kind: 'forward', chatIdFrom: '10000000000@c.us', messages: [WORD] },
  template: { kind: 'template', elementName: 'erased', params: [] },
};
