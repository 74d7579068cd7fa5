import { z } from 'zod';
import { idMessageResponse } from '../response-fields.js';
import { chatId } from '../chat-id.js';
import { operation } from '../operation-contract.js';
import { httpLink, messageId, requiredText, text } from '../text-fields.js';

export const sendFileByUrl = operation({
  description: 'Send a file of at most 100 MB from a link, one file per request.',
  perSecond: 50,
  request: z.strictObject({
    chatId,
    urlFile: httpLink.describe('Link to the file, unencoded; starts with http:// or https://'),
    fileName: requiredText().describe('File name with extension; the extension decides how it is sent'),
    caption: text(20_000).optional().describe('Caption, at most 20000 characters'),
    quotedMessageId: messageId.optional().describe('Id of a message in the same chat to quote'),
    typingTime: z
      .int()
      .min(1)
      .max(20)
      .optional()
      .describe('Typing notification, seconds (not milliseconds as elsewhere), 1 to 20; the gateway assumes 1'),
    typingType: z.literal('recording').optional().describe('recording: show recording audio instead of typing'),
  }),
  response: idMessageResponse,
  warnings: (request) => [...linkWarnings(request.urlFile), ...fileNameWarnings(request.fileName)],
  reaches: (request) => [request.chatId],
});

function linkWarnings(link: string): string[] {
  const warnings: string[] = [];
  if (/%[0-9a-f]{2}/i.test(link)) {
    warnings.push('urlFile: looks percent-encoded; give the link unencoded, the gateway encodes it itself');
  }
  if (/\s/.test(link)) warnings.push('urlFile: has a space; links without spaces are advised');
  // A link needs dots, colons and slashes; beyond those only letters, digits, hyphen and underscore are advised.
  if (/[^\w\-./:\s%]/.test(link)) {
    warnings.push('urlFile: has characters other than a-z, A-Z, 0-9, hyphen and underscore, which is advised against');
  }
  if (/\.html?(?:[?#]|$)/i.test(link)) warnings.push('urlFile: ends like a page; it has to point at the file itself');
  return warnings;
}

function fileNameWarnings(fileName: string): string[] {
  return /\.[^.\s]+$/.test(fileName)
    ? []
    : ['fileName: has no extension; the kind of file is then guessed from what the link answers'];
}
