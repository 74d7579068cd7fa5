import { createHash } from 'node:crypto';
import { canonicalJson, type MessageContent } from '../contract/index.js';
import { comparableText } from '../domain/index.js';

/**
 * What makes two messages to one chat the same message to a witness: the fields that every witness shows. Options such
 * as a typing time or a link preview are not among them, and neither is a file's link, of which notifications and
 * journals have only the gateway's own copy, nor the names on a contact card, which they show composed in a way of
 * their own: two such messages could not be told apart by them afterwards, so they must not make two messages differ
 * before.
 */
export function comparableBody(content: MessageContent): Readonly<Record<string, string>> {
  switch (content.kind) {
    case 'text':
    case 'status':
      return { text: comparableText(content.text) };
    case 'file':
      return {
        fileName: comparableText(content.fileName),
        caption: comparableText(content.caption ?? ''),
      };
    case 'poll':
      return {
        message: comparableText(content.message),
        options: canonicalJson(content.options.map(({ optionName }) => comparableText(optionName))),
      };
    case 'location':
      return {
        latitude: String(content.latitude),
        longitude: String(content.longitude),
        nameLocation: comparableText(content.nameLocation ?? ''),
        address: comparableText(content.address ?? ''),
      };
    case 'contact':
      return { phoneContact: String(content.contact.phoneContact) };
    case 'template':
      return {
        template: content.elementName ?? content.templateId ?? '',
        params: canonicalJson((content.params ?? []).map(comparableText)),
      };
    case 'forward':
      // Once it left the queue it shows as a copy of a message that we do not know: any two to one chat may look alike.
      return {};
  }
}

/** Hash of kind and {@link comparableBody}: equal for identical messages. */
export function bodyHash(content: MessageContent): string {
  return sha256(canonicalJson([content.kind, comparableBody(content)]));
}

/** Hash of any JSON value, independent of the order of its keys. */
export function jsonHash(value: unknown): string {
  return sha256(canonicalJson(value));
}

/** The first half of {@link jsonHash} in fewer characters: for indexes with many entries. */
export function shortHash(value: unknown): string {
  return Buffer.from(jsonHash(value).slice(0, 32), 'hex').toString('base64url');
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
