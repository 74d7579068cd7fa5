// Which words of the old vocabulary stand in a tracked text file. docs/glossary.md says what the new ones mean.
// A word is looked for as a part of every name as well: `judge` is found in `judgeAfterMs` and in `judge_after`.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The public names (commands, states, codes, variables) are checked once they are renamed everywhere. */
const CHECKS_PUBLIC_NAMES = true;

/**
 * `words`: parts of a name, or words of a sentence. `names`: parts of a name that has several, since the word alone is
 * plain English. `text`: as it stands, for what is not made of words alone.
 * @typedef {{ words?: string, names?: string, text?: RegExp, use: string }} OldWord
 */

/** @type {readonly OldWord[]} */
const OLD_WORDS = [
  { words: 'people person persons', use: 'recipient, operator or contact' },
  { words: 'somebody nobody everybody anybody', use: 'the actor: recipient, operator, caller, worker' },
  { words: 'whoever whom', use: 'the actor: recipient, operator, caller, worker' },
  { words: 'twin twins likeness', use: 'identical message' },
  { words: 'sighting sightings', use: 'observation' },
  { words: 'stranger strangers', use: 'unmatched message' },
  { words: 'duty duties', use: 'lease, background job' },
  { words: 'judge judges judged judging judgement', use: 'reconcile, or classify' },
  { words: 'lane lanes', use: 'rate limit bucket' },
  { words: 'nerve', use: 'concurrency' },
  { words: 'hungry', use: 'fair share' },
  { words: 'feed feeds feeding fed unfed', use: 'dispatch' },
  { words: 'anew', use: 'again' },
  { words: 'undone', use: 'unfinished' },
  { words: 'mended mends', use: 'corrected, recovered' },
  { words: 'rooms', use: 'modules' },
  { words: 'news', use: 'notification' },
  { names: 'look looks looked', use: 'poll' },
  { text: /\b(?:next|each|every|last) looks?\b(?! (?:at|for|like|up))/gi, use: 'poll' },
  { names: 'answer answers answered', use: 'response' },
  { text: /\b(?:an|the|no|its|lost|late) answers?\b/gi, use: 'response' },
  { names: 'told tell tells', use: 'notify' },
  { text: /\b[A-Z][A-Za-z]*Parts\b/g, use: 'Dependencies' },
  { text: /\bcame true\b/gi, use: 'succeeded' },
];

/** @type {readonly OldWord[]} */
export const OLD_PUBLIC_NAMES = [
  { text: /(['"`])planned\1/g, use: 'pending' },
  { text: /(['"`])posting\1/g, use: 'sending' },
  { text: /(['"`])held\1/g, use: 'unresolved, or paused' },
  { text: /(['"`])noAccount\1/g, use: 'no_account' },
  { words: 'brake brakes', use: 'pause' },
  { words: 'breaker', use: 'auto pause' },
  { text: /\b(?:waterMarks|lowWater)\b|--low-water\b/g, use: 'highWater' },
  { text: /\b(?:not_sent|releaseByItself|onlyTo)\b/g, use: 'not_accepted, autoResume, allowedRecipients' },
  { text: /\b(?:CAMPAIGN|MESSAGE|INSTANCE|TEMPLATE|OPERATION|EDIT|ROUTE|REPLAY)_UNKNOWN\b/g, use: '*_NOT_FOUND' },
  { text: /\bINSTANCE_HELD\b/g, use: 'INSTANCE_PAUSED' },
  { text: /\bMESSAGES_HELD\b/g, use: 'MESSAGES_UNRESOLVED' },
  { text: /\bOUTCOMES_OPEN\b/g, use: 'OUTCOMES_UNKNOWN' },
  { text: /\bGATEWAY_ANSWER_STRANGE\b/g, use: 'GATEWAY_RESPONSE_INVALID' },
  { text: /\bEVERPOST_API_TOKENS?\b/g, use: 'EVERPOST_API_KEY(S)' },
  { text: /\bEVERPOST_HTTP_TIMEOUT\b/g, use: 'EVERPOST_GATEWAY_TIMEOUT' },
  { text: /\bEVERPOST_SETTLE\b/g, use: 'EVERPOST_SETTLE_TIME' },
  { text: /\bEVERPOST_EDIT_CONFIRM\b/g, use: 'EVERPOST_EDIT_CONFIRM_TIMEOUT' },
  { text: /\bEVERPOST_TEMPLATE_POLL\b/g, use: 'EVERPOST_TEMPLATE_POLL_INTERVALS' },
  { text: /\bEVERPOST_CALLBACK_PRIVATE\b/g, use: 'EVERPOST_ALLOW_PRIVATE_TARGETS' },
  { text: /\bEVERPOST_NOTIFICATIONS_KEPT\b/g, use: 'EVERPOST_NOTIFICATION_RETENTION' },
  { text: /\beverpost (?:edit|cancel|status|messages list)\b/g, use: 'everpost message edit|cancel|show|list' },
  { text: /\beverpost campaign (?:status|watch|change)\b/g, use: 'everpost campaign show|show --watch|update' },
  { text: /\beverpost template (?:lint|status|decide)\b/g, use: 'everpost template validate|show|set-review' },
  { text: /\beverpost instance (?:status|release)\b/g, use: 'everpost instance show|resume' },
  { text: /\beverpost suppress\b/g, use: 'everpost suppression' },
  { text: /\beverpost webhooks replay\b/g, use: 'everpost notification replay' },
];

/** Files in which every word may stand. */
const FREE_FILES = [
  { path: /(?:^|\/)LICENSE$|(?:^|\/)package-lock\.json$|(?:^|\/)go\.sum$|\.png$/, reason: 'not ours to word' },
  { path: /^test\/histories\/.*\.json$/, reason: 'recorded by Temporal' },
  { path: /^(?:scripts\/check-words\.js|test\/scripts\/check-words\.test\.ts)$/, reason: 'names the words' },
];

/**
 * What may stand in a file all the same.
 * @type {readonly { path: RegExp, allows: RegExp, reason: string }[]}
 */
const EXCEPTIONS = [
  { path: /./, allows: /\bmultipleAnswers\b/, reason: "the gateway's own field" },
  { path: /./, allows: /\b(?:lose|late|half)-answer\b/, reason: "names of the simulator's control interface" },
  { path: /./, allows: /\bGATEWAY_ANSWER_STRANGE\b/, reason: 'among the public names' },
  {
    path: /./,
    allows: /\b(?:lookUp\w*|LookUp\w*|looksLike|forgetInParts|MAX_PARTS)\b/,
    reason: 'look up, look like, parts: plain English',
  },
  { path: /./, allows: /\beditAnswersNewId\b/, reason: "a field of the simulator's control interface" },
  {
    path: /simulator|conformance|^src\/gateway|^test\/model\/sequences\/gateway|ask-journal|read-notification|webhooks\/kinds|^docs\/(?:gateway|simulator)/,
    allows: /(['"`])noAccount\1/,
    reason: "the gateway's own status",
  },
  { path: /gateway\/(?:exchange|client)/, allows: /\bnot_sent\b/, reason: 'a request of which no byte left' },
  { path: /local-temporal/, allows: /--ui-disable-news-fetch/, reason: "an option of Temporal's server" },
  { path: /templates?\.ts$|template-rules/, allows: /\bNEWS\b/, reason: 'a category that no template has' },
  { path: /^test\/support\/ledger\/postgres\.js$/, allows: /\bnobody\b/, reason: 'an account of the operating system' },
];

/**
 * @param {string} file  its path in the repository
 * @param {string} text
 * @returns {string[]} one line for each word found, with the word to use instead
 */
export function oldWordsIn(file, text, table = CHECKS_PUBLIC_NAMES ? [...OLD_WORDS, ...OLD_PUBLIC_NAMES] : OLD_WORDS) {
  if (FREE_FILES.some(({ path }) => path.test(file))) return [];
  const allowed = EXCEPTIONS.filter(({ path }) => path.test(file)).map(({ allows }) => allows);
  return text.split('\n').flatMap((line, at) => {
    const rest = allowed.reduce((all, allows) => all.replaceAll(new RegExp(allows, `${allows.flags}g`), ' '), line);
    const tokens = (rest.match(/[A-Za-z_]+/g) ?? []).map((token) => ({ token, parts: partsOf(token) }));
    return table.flatMap(({ words, names, text: pattern, use }) => {
      const found = [
        ...tokens.filter(({ parts }) => parts.some((part) => words?.split(' ').includes(part))),
        ...tokens.filter(({ parts }) => parts.length > 1 && parts.some((part) => names?.split(' ').includes(part))),
      ].map(({ token }) => token);
      const matched = pattern === undefined ? [] : (rest.match(pattern) ?? []);
      return [...found, ...matched].map((word) => `${file}:${at + 1}: "${word}". Use: ${use}`);
    });
  });
}

/**
 * @param {string} name
 * @returns {string[]} its words, in lower case
 */
function partsOf(name) {
  return (name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g) ?? []).map((part) => part.toLowerCase());
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = fileURLToPath(new URL('..', import.meta.url));
  const files = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean);
  const problems = files.flatMap((file) => oldWordsIn(file, readFileSync(`${root}${file}`, 'utf8')));
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) console.error('The vocabulary is in docs/glossary.md, the table in scripts/check-words.js.');
  process.exitCode = problems.length === 0 ? 0 : 1;
}
