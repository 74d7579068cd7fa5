/** How a file of recipients is read: fields of definitions, and query parameters of imports. */
import { z } from 'zod';
import { RECIPIENT_VERDICTS } from '../campaign.js';
import { ENCODINGS, encodingNamed } from '../list-file.js';
import { parseJson } from '../json.js';
import { count } from './fields.js';
import { exactText } from './message.js';

const MAX_NAME_CHARACTERS = 200;
const MAX_MAP_CHARACTERS = 10_000;
/** The longest name of a sheet in Excel. */
const MAX_SHEET_CHARACTERS = 31;

const delimiterField = z
  .enum([',', ';', 'tab', '|'])
  .exactOptional()
  .describe('Character between the columns of a CSV file. Default: the one that the header uses');
const columnName = exactText.min(1).max(MAX_NAME_CHARACTERS);
const mapSchema = z.record(columnName, columnName);
const MAP = 'Names of columns by the variables that they become';

const columnFields = {
  phoneColumn: columnName
    .exactOptional()
    .describe('Name of the column with the number. Default: recognised by its name, else by its values'),
};

const fileFields = {
  delimiter: delimiterField,
  encoding: z
    .string()
    .refine((label) => encodingNamed(label) !== undefined, `is none of the encodings ${ENCODINGS.join(', ')}`)
    .exactOptional()
    .describe('Encoding of a text file, e.g. windows-1252. Default: detected'),
  sheet: exactText
    .min(1)
    .max(MAX_SHEET_CHARACTERS)
    .exactOptional()
    .describe('Name of the sheet of a workbook. Default: the first visible one'),
};

/** For the rows of a query. */
export const columnOptionFields = { ...columnFields, map: mapSchema.exactOptional().describe(MAP) };

/** For a file. */
export const listOptionFields = { ...fileFields, ...columnOptionFields };

/** The same, as query parameters. */
export const listQueryFields = {
  ...fileFields,
  ...columnFields,
  map: z
    .string()
    .max(MAX_MAP_CHARACTERS)
    .transform((text, context) => {
      try {
        return parseJson(text);
      } catch {
        context.addIssue({ code: 'custom', message: 'is not a JSON object, e.g. {"name":"First Name"}' });
        return z.NEVER;
      }
    })
    .pipe(mapSchema)
    .exactOptional()
    .describe(`${MAP}, as a JSON object: {"name":"First Name"}`),
};

export const DELIMITERS = delimiterField.unwrap().options;

export const listFactsSchema = z
  .object({
    encoding: z
      .object({
        name: z.enum(ENCODINGS),
        detected: z.boolean().describe('True if the bytes decided it, and no byte order mark or parameter'),
        sample: z
          .object({ line: count, value: z.string() })
          .optional()
          .describe('The first value that another encoding would change. Check it, if the encoding was detected'),
      })
      .optional()
      .describe('Encoding of a text file'),
    delimiter: z.string().optional().describe('Character between the columns of a CSV file'),
    sheet: z.string().optional().describe('The sheet of a workbook'),
    sheets: z.array(z.string()).optional().describe('All sheets, if the workbook has several and none was named'),
    phoneColumn: z
      .object({
        name: z.string(),
        by: z.enum(['option', 'name', 'content']).describe('By what it was recognised'),
      })
      .optional()
      .describe('The column with the number'),
  })
  .meta({ id: 'ListFacts', description: 'How a file was read' });

export const remediesSchema = z
  .array(z.object({ verdict: z.enum(RECIPIENT_VERDICTS).exclude(['accepted']), lines: count, remedy: z.string() }))
  .describe('What to do about each verdict that occurred');
