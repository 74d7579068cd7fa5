import { z } from 'zod';
import { MAX_FILE_BYTES } from '../../contract/index.js';
import { operation } from '../operation-contract.js';
import { httpLink, requiredText } from '../text-fields.js';

/** A slower upload is broken off: it is repeated, and sends nothing. */
const BYTES_PER_MS = 100;

const request = z.strictObject({
  fileName: requiredText().describe('File name with extension'),
  contentType: requiredText(200)
    .regex(/^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/, "Validation failed, 'contentType' must be like image/jpeg")
    .describe('E.g. image/jpeg'),
  content: z
    .any()
    .refine(isBytes, "Validation failed, details: 'content' must be base64 of 1 byte to 100 MB")
    .meta({ type: 'string', contentEncoding: 'base64', description: 'The file, at most 100 MB' }),
});

export const uploadFile = operation({
  description: 'Upload a file, for a link that sendFileByUrl takes for 15 days. Nothing is sent.',
  perSecond: 1,
  request,
  response: z.looseObject({ urlFile: httpLink.describe('Link to the file; 15 days') }),
  onMediaHost: true,
  toRawBody: ({ fileName, contentType, content }) => ({
    bytes: bytesOf(content),
    // A header holds no other characters; the message names the file again.
    headers: { 'content-type': contentType, ...(/^[ -~]+$/.test(fileName) ? { 'ga-filename': fileName } : {}) },
  }),
  holdsMs: ({ content }) => Math.ceil(bytesOf(content).length / BYTES_PER_MS),
});

/** Bytes of our own, or the base64 of a caller. */
function isBytes(content: unknown): content is string | Uint8Array {
  const isGiven = content instanceof Uint8Array || z.base64().safeParse(content).success;
  if (!isGiven) return false;
  const { length } = bytesOf(content as string | Uint8Array);
  return length > 0 && length <= MAX_FILE_BYTES;
}

function bytesOf(content: string | Uint8Array): Uint8Array {
  return typeof content === 'string' ? Buffer.from(content, 'base64') : content;
}
