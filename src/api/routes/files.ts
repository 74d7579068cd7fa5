import { z } from 'zod';
import { AppError, MAX_FILE_BYTES } from '../../contract/index.js';
import { contentTypeOf, streamOf } from '../read-request.js';
import { reply, route } from '../route.js';

const CONTENT_TYPE = /^[\w!#$&^.+-]{1,100}\/[\w!#$&^.+-]{1,100}$/;

export const FILE_ROUTES = {
  storeFile: route('POST /v1/files', {
    summary: 'Store a file for messages',
    description:
      "Stores up to 100 MB as a stream. Messages name the file as content.fileId. The same bytes of the same type have the same id, so a repeated request needs no Idempotency-Key. everpost uploads the file to an instance's gateway with its first message.",
    access: ['send', 'nothing'],
    rawBodies: { '*/*': 'The bytes of the file. Its Content-Type is stored' },
    takesLong: true,
    responses: {
      200: {
        description: 'The file is stored',
        schema: z
          .object({
            fileId: z.string(),
            sha256: z.string(),
            contentType: z.string(),
            sizeBytes: z.number(),
            expiresAt: z.iso
              .datetime()
              .describe(
                'The file is kept until this time, and at least 30 days after any message that names it expires',
              ),
          })
          .meta({ id: 'StoredFile' }),
      },
    },
    problems: ['INPUT_INVALID', 'INPUT_TOO_LARGE', 'KEY_FILES_LIMITED'],
    async handle({ caller, c }, { ledger, clock, limits }) {
      const contentType = contentTypeOf(c) || 'application/octet-stream';
      if (!CONTENT_TYPE.test(contentType)) {
        throw new AppError(
          'INPUT_INVALID',
          'The file is refused: its Content-Type is missing or invalid. Send one, e.g. image/jpeg; nothing was stored.',
        );
      }
      const remedy = 'The gateway accepts no larger file.';
      const body = streamOf(c, { maxBytes: MAX_FILE_BYTES, remedy, ifCut: 'Nothing was stored.' });
      const owner = limits.fileOwner(caller);
      return reply(200, await ledger.files.store(body, contentType, clock.nowMs(), owner));
    },
  }),
} as const;
