import { API_PARSERS } from './api-parsers.js';
import { FILE_PARSERS } from './file-parsers.js';
import { GATEWAY_PARSERS } from './gateway-parsers.js';
import type { Parser } from './parser.js';

/** Every parser of foreign text, as a function of that text. A refusal is a result like any other. */
export const PARSERS: readonly Parser[] = [...API_PARSERS, ...GATEWAY_PARSERS, ...FILE_PARSERS];
