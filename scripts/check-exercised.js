// Reports documented responses of the API that no test has received. Tests write each response that they receive to the
// file in the first argument (test/api/documented-api.ts), one a line: the operation and the status.
import { readFileSync } from 'node:fs';

/** Statuses that any route may return; 429 is the rate limit of the key. It is enough to test each on one route. */
const SHARED = ['401', '429', '500', '503'];

/** Exceptions by reason: an operation and its statuses. */
const REASONS = {
  'is the document: test/api/openapi.test.ts checks it': ['openapi 200'],
  'is the other status of INSTANCE_NOT_FOUND, 404 or 422, or of INPUT_INVALID, 400 or 422': [
    'sendMessage 404',
    'beginCampaign 404',
    'defineCampaign 404',
    'submitTemplate 404',
    'getInstance 422',
    'pauseInstance 400 422',
    'resumeInstance 400 422',
    'receiveNotification 422',
    'startCampaign 400 422',
    'storeFile 422',
    'deleteEventEndpoint 400',
    'testEventEndpoint 400',
    'createSchedule 404',
    'triggerSchedule 400 422',
    'takeSnapshot 400 422',
    'listSnapshots 422',
  ],
  'is requested by a command in its own process: test/cli/run/dev.test.ts, docs/account.md': [
    'amendCampaign 202',
    'planAmendment 200',
    'beginJob 200',
    'stopJob 200',
  ],
  'needs a run in Temporal: activity and ledger are tested without the route': [
    'takeSnapshot 200',
    'backfillSchedule 409',
  ],
  'needs a run that takes longer than the request waits': [
    'getEdit 202',
    'pauseCampaign 202',
    'resumeCampaign 202',
    'cancelCampaign 202',
    'updateCampaign 202',
    'retryCampaign 202',
  ],
  'is returned by a function of several routes, one of which is tested': [
    'resumeCampaign 409',
    'cancelCampaign 409',
    'updateCampaign 404 409',
    'retryCampaign 404',
    'getReportCsv 400 422',
    'getReportNdjson 400 422',
    'getReportJson 400 422',
    'testCampaign 404',
    'checkRecipients 413',
    'getCampaignSummary 409 410',
    'setTemplateReview 404 409',
    'amendCampaign 409',
    'planAmendment 409',
    'listAmendments 409',
  ],
};
export const EXCEPTIONS = new Set(Object.values(REASONS).flat().flatMap(responsesOf));

/**
 * @param {string} words  an operation and its statuses
 * @returns {string[]}
 */
function responsesOf(words) {
  const [operationId, ...statuses] = words.split(' ');
  return statuses.map((status) => `${operationId} ${status}`);
}

/**
 * @param {{ paths: Record<string, Record<string, { operationId: string, responses: Record<string, unknown> }>> }}
 *   document
 * @param {ReadonlySet<string>} seen
 * @returns {string[]} a line for each response without a test, and for each exception that is not documented
 */
export function notExercised(document, seen) {
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  const documented = operations.flatMap(({ operationId, responses }) =>
    Object.keys(responses)
      .filter((status) => status !== 'default' && !SHARED.includes(status))
      .map((status) => `${operationId} ${status}`),
  );
  const missing = documented.filter((response) => !seen.has(response) && !EXCEPTIONS.has(response));
  const stale = [...EXCEPTIONS].filter((response) => !documented.includes(response));
  return [
    ...missing.map((response) => `No test has received ${response}. Test it, or add an exception with its reason.`),
    ...stale.map((response) => `The exception ${response} is not documented. Remove it from the list.`),
  ];
}

const [file] = process.argv.slice(2);
if (file !== undefined) {
  const document = JSON.parse(readFileSync(new URL('../openapi.json', import.meta.url), 'utf8'));
  const problems = notExercised(document, new Set(readFileSync(file, 'utf8').trim().split('\n')));
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
