import { z } from 'zod';
import { AppError, MAX_FILE_BYTES } from '../../../contract/index.js';
import { contentTypeOf, streamOf } from '../read-request.js';
import { reply, route } from '../route.js';

const CONTENT_TYPE = /^[\w!#$&^.+-]{1,100}\/[\w!#$&^.+-]{1,100}$/;

export const FILE_ROUTES = {
  storeFile: route({
    method: 'post',
    path: '/v1/files',
    summary: 'Store a file of at most 100 MB, for messages that name it as content.fileId',
    description:
      'Read as it comes in. The same bytes of the same type have the same id, so that storing it again is safe, and needs no Idempotency-Key. The gateway of an instance gets it once, with its first message.',
    access: ['send', 'nothing'],
    rawBodies: { '*/*': 'The file as it is; its Content-Type is passed on' },
    takesLong: true,
    responses: {
      200: {
        description: 'Stored',
        schema: z
          .object({
            fileId: z.string(),
            sha256: z.string(),
            contentType: z.string(),
            sizeBytes: z.number(),
            expiresAt: z.iso.datetime().describe('Kept until then, and 30 days longer than any message that names it'),
          })
          .meta({ id: 'StoredFile' }),
      },
    },
    problems: ['INPUT_INVALID', 'INPUT_TOO_LARGE'],
    async handle({ c }, { ledger, clock }) {
      const contentType = contentTypeOf(c) || 'application/octet-stream';
      if (!CONTENT_TYPE.test(contentType)) {
        throw new AppError('INPUT_INVALID', 'The Content-Type is none. Send it like image/jpeg; nothing was stored.');
      }
      const remedy = 'The gateway takes no larger file.';
      const limits = { maxBytes: MAX_FILE_BYTES, remedy, ifCut: 'Nothing was stored.' };
      return reply(200, await ledger.files.store(streamOf(c, limits), contentType, clock.nowMs()));
    },
  }),
} as const;
