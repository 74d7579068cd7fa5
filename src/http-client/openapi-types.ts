/** Generated from openapi.json by `npm run generate`. */
export interface paths {
    readonly "/v1/messages": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List messages, newest first
         * @description Scope: read.
         */
        readonly get: operations["listMessages"];
        readonly put?: never;
        /**
         * Send a message
         * @description Durable from the 202 on: carried to one honest end state through outages and restarts. Taken also while Temporal is away. Scope: send.
         */
        readonly post: operations["sendMessage"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/messages/{id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * A message with its evidence
         * @description Scope: read.
         */
        readonly get: operations["getMessage"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/messages/{id}/cancel": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Cancel a message that has not left yet
         * @description While it is being posted, the response waits for the end of that. Scope: send.
         */
        readonly post: operations["cancelMessage"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/messages/{id}/resolve": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Resolve a message that is unknown or unresolved
         * @description `accepted` ends the question. `not_accepted` makes it pending again, so look at the phone first; not before the lost request can no longer be accepted. Scope: admin.
         */
        readonly post: operations["resolveMessage"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/messages/{id}/edits": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Edit the text of a message
         * @description Before it left, the text is replaced. Sent, it is edited at the gateway within 15 minutes. In between the edit waits for `sent`. Scope: send.
         */
        readonly post: operations["editMessage"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/messages/{id}/edits/{editId}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * An edit as it stands
         * @description Scope: read.
         */
        readonly get: operations["getEdit"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/files": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Store a file of at most 100 MB, for messages that name it as content.fileId
         * @description Read as it comes in. The same bytes of the same type have the same id, so that storing it again is safe, and needs no Idempotency-Key. The gateway of an instance gets it once, with its first message. Scope: send.
         */
        readonly post: operations["storeFile"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/campaigns": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List campaigns, newest first
         * @description Scope: read.
         */
        readonly get: operations["listCampaigns"];
        readonly put?: never;
        /**
         * Define a campaign
         * @description A draft, into which recipients are imported, and which is then started. Scope: send.
         */
        readonly post: operations["beginCampaign"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/campaigns/{id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * A campaign as it stands
         * @description Scope: read.
         */
        readonly get: operations["getCampaign"];
        /**
         * Define a campaign, or define a draft again
         * @description Its recipients stay, unless it names another instance or default country: then they are imported again. Scope: send.
         */
        readonly put: operations["defineCampaign"];
        readonly post?: never;
        /**
         * Remove a campaign that was only made for a plan
         * @description Scope: send.
         */
        readonly delete: operations["removePlan"];
        readonly options?: never;
        readonly head?: never;
        /**
         * Change the high water mark, text, deadline, name or start time
         * @description Counts for every recipient who is posted to from then on; of a campaign that has ended, for a retry. Scope: send.
         */
        readonly patch: operations["updateCampaign"];
        readonly trace?: never;
    };
    readonly "/v1/campaigns/{id}/plan": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * What the campaign would do if it were started now
         * @description Goes through the whole audience: with a million recipients it takes a minute. Scope: read.
         */
        readonly get: operations["planCampaign"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/campaigns/{id}/test-sends": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Send one recipient's message to one's own number
         * @description Scope: send.
         */
        readonly post: operations["sendTest"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/campaigns/{id}/start": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Start a campaign, once, ever
         * @description Its recipients and their values are fixed from then on. Durable from the 202 on. With `startAt` it is scheduled, and begins at that time. Scope: send.
         */
        readonly post: operations["startCampaign"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/campaigns/{id}/pause": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Pause a campaign
         * @description Answers when no further send can begin and those under way have ended; what is in the gateway's queue by then still goes out. Scope: send.
         */
        readonly post: operations["pauseCampaign"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/campaigns/{id}/resume": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Let a paused campaign go on
         * @description Scope: send.
         */
        readonly post: operations["resumeCampaign"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/campaigns/{id}/cancel": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Cancel a campaign
         * @description As a pause, but for good: every recipient who was not posted to ends cancelled. Scope: send.
         */
        readonly post: operations["cancelCampaign"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/campaigns/{id}/retry": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Take recipients up again who ended without the message
         * @description Never retries a recipient whose message the gateway is known to have accepted. A campaign that has ended runs again. Unknown and unresolved messages are reconciled again, and posted again only with maySendTwice. Scope: send.
         */
        readonly post: operations["retryCampaign"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/campaigns/{id}/amend": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Give the recipients a new text, also those who were sent an older one
         * @description Recipients who were not posted to get the new text, or are cancelled. Messages that were sent less than 15 minutes ago are edited, as many as can be in time, the newest first. Durable from the response on. Scope: send.
         */
        readonly post: operations["amendCampaign"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/campaigns/{id}/amendment-plan": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * What an amendment could do for each recipient now
         * @description Scope: read.
         */
        readonly post: operations["planAmendment"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/campaigns/{id}/amendments": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * The amendments of a campaign, newest first
         * @description Scope: read.
         */
        readonly get: operations["listAmendments"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/campaigns/{id}/recipients": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * The recipients of a campaign and what became of each
         * @description Scope: read.
         */
        readonly get: operations["listRecipients"];
        /**
         * Import the recipients, in place of those before
         * @description A file of up to EVERPOST_MAX_IMPORT_SIZE (1 GB), read as it comes in, or the participants of a group. Every line gets a verdict. Nothing changes unless all of it was read; the same again changes nothing. While it runs, the campaign shows `importing`. Scope: send.
         */
        readonly put: operations["importRecipients"];
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/campaigns/{id}/rejected-recipients.csv": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * The lines that added no recipient to the audience
         * @description Scope: read.
         */
        readonly get: operations["getRejectedRecipients"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/campaigns/{id}/report.csv": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * The whole report as CSV
         * @description Scope: read.
         */
        readonly get: operations["getReportCsv"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/campaigns/{id}/report.ndjson": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * The whole report, one JSON object a line
         * @description Scope: read.
         */
        readonly get: operations["getReportNdjson"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/campaigns/{id}/report.json": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * The whole report with the campaign, as one JSON document
         * @description Scope: read.
         */
        readonly get: operations["getReportJson"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/recipients/erasures": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Erase a recipient: number, names and texts
         * @description Pending messages to them are cancelled; what is in flight ends first. Rows stay with their states and times, so that totals add up. An opt-out is kept as a hash. Asked for again while it is pending, it is the same erasure. Scope: admin, of a key for every instance.
         */
        readonly post: operations["eraseRecipient"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/recipients/erasures/{id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * The receipt of an erasure
         * @description Scope: admin, of a key for every instance.
         */
        readonly get: operations["getErasure"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/templates/validate": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Check a template against every documented limit
         * @description Scope: read.
         */
        readonly post: operations["validateTemplate"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/templates": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List templates, by instance and name
         * @description Scope: read.
         */
        readonly get: operations["listTemplates"];
        readonly put?: never;
        /**
         * Submit a template for review, and follow it
         * @description Instance and elementName are its key: the same template again is the same one, a changed one under a used name is refused. Needs no Idempotency-Key. Scope: send.
         */
        readonly post: operations["submitTemplate"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/templates/{instance}/{elementName}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * A template with every change of it
         * @description Scope: read.
         */
        readonly get: operations["getTemplate"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/templates/{instance}/{elementName}/review": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * An operator's decision on a review that cannot be read, or not soon enough
         * @description Ends the waiting at once. It stands until the gateway itself shows something new. Scope: admin.
         */
        readonly post: operations["setTemplateReview"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/suppressions": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Who is on the suppression list, newest first
         * @description Scope: read.
         */
        readonly get: operations["listSuppressions"];
        readonly put?: never;
        /**
         * Put a recipient on the suppression list
         * @description From the response on no message begins to be posted to them that the entry covers: it ends suppressed. Adding again changes nothing, and needs no Idempotency-Key. Scope: send.
         */
        readonly post: operations["addSuppression"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/suppressions/remove": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Take a recipient off the suppression list
         * @description Whatever its source, the addressee with STOP included: be sure that they want it. The entries are kept, with the time. Scope: admin.
         */
        readonly post: operations["removeSuppression"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/suppressions/import": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Put every recipient of a file on the suppression list
         * @description A file of up to EVERPOST_MAX_IMPORT_SIZE (1 GB), read as it comes in, with a verdict for every line. What was read before one breaks off holds; importing again adds the rest. Scope: send.
         */
        readonly post: operations["importSuppressions"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/notifications": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * The notifications of each instance, counted
         * @description Scope: read.
         */
        readonly get: operations["listNotifications"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/notifications/replays": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Apply stored notifications again
         * @description Safe at any time: what they say is true already where it was applied. New ones go first. Scope: admin.
         */
        readonly post: operations["beginReplay"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/notifications/replays/{id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * How far a replay is
         * @description Scope: read.
         */
        readonly get: operations["getReplay"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/webhooks/{instance}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** The gateway's notifications */
        readonly post: operations["receiveNotification"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/event-endpoints": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List event endpoints, with what waits for them
         * @description Scope: read.
         */
        readonly get: operations["listEventEndpoints"];
        readonly put?: never;
        /**
         * Have the events of an instance delivered
         * @description From the response on every event that it names is recorded with what it reports, and posted at least once, signed by Standard Webhooks, in order for each chat. The same key creates one. Scope: admin.
         */
        readonly post: operations["createEventEndpoint"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/event-endpoints/{id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * An event endpoint, with what waits for it
         * @description `callbacks-<instance>` stands for the status callbacks of an instance. Scope: read.
         */
        readonly get: operations["getEventEndpoint"];
        readonly put?: never;
        readonly post?: never;
        /**
         * Delete an event endpoint, with what waits for it
         * @description Scope: admin.
         */
        readonly delete: operations["deleteEventEndpoint"];
        readonly options?: never;
        readonly head?: never;
        /**
         * Change an event endpoint, disable it, or enable it again
         * @description What waits is due at once, unless it is disabled: then events go on waiting for it. Scope: admin.
         */
        readonly patch: operations["changeEventEndpoint"];
        readonly trace?: never;
    };
    readonly "/v1/event-endpoints/{id}/rotate-secret": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Make a new secret for an event endpoint
         * @description The former one signs as well for a while, so that no event is refused meanwhile. Scope: admin.
         */
        readonly post: operations["rotateEventSecret"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/event-endpoints/{id}/test": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Post an event of type endpoint.test to one endpoint
         * @description GET /v1/events/{id} shows its deliveries. An endpoint with raw gets it as well. Scope: admin.
         */
        readonly post: operations["testEventEndpoint"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/event-endpoints/{id}/replays": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Deliver stored events again
         * @description One event, or those of a time that the endpoint wants, whether or not it took them before. The same key replays once. Scope: admin.
         */
        readonly post: operations["replayEvents"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/events": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Stored events, the oldest first
         * @description Ask again with the cursor for what comes after it: none is left out, whatever is lost in between. Events are stored for instances that have an endpoint. Scope: read.
         */
        readonly get: operations["listEvents"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/events/{id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * An event, and its deliveries
         * @description Scope: read.
         */
        readonly get: operations["getEvent"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/operations/{method}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Run a gateway operation as a durable job
         * @description Sends become messages, an edit of our own message becomes its edit. Everything else is repeated for days where repeating it is safe, and left at most once where it is not. setSettings, receiveNotification and deleteNotification need the scope admin as well. Scope: send.
         */
        readonly post: operations["beginOperation"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/operations/{method}/{id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * An operation as it stands
         * @description Scope: read.
         */
        readonly get: operations["getOperation"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/schedules": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List schedules with their next runs, newest first
         * @description Scope: read.
         */
        readonly get: operations["listSchedules"];
        readonly put?: never;
        /**
         * Create a schedule of campaigns, or of messages
         * @description Each of its times becomes a campaign with an id of its own, whose recipients are read then; or one message. Durable from the response on, also while Temporal is away. Scope: send.
         */
        readonly post: operations["createSchedule"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/schedules/{id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * A schedule with its next and its latest runs
         * @description Scope: read.
         */
        readonly get: operations["getSchedule"];
        readonly put?: never;
        readonly post?: never;
        /**
         * Delete a schedule
         * @description Its campaigns and messages stay. Created again under the same id, it runs for none of the times that had a run. Scope: send.
         */
        readonly delete: operations["deleteSchedule"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/schedules/{id}/pause": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Pause a schedule
         * @description No run begins until it is resumed. Campaigns that have begun go on. The same key pauses once. Scope: send.
         */
        readonly post: operations["pauseSchedule"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/schedules/{id}/resume": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Resume a paused schedule
         * @description Times that passed while it was paused are not made up; see backfill. The same key resumes once. Scope: send.
         */
        readonly post: operations["resumeSchedule"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/schedules/{id}/trigger": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Run a schedule now
         * @description Also a paused one. The same key runs once. Scope: send.
         */
        readonly post: operations["triggerSchedule"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/schedules/{id}/backfill": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Run a schedule for times that have passed
         * @description For every one of its times in the range that has no run yet, one after the other unless its runs may overlap. Asked again it changes nothing. Scope: send.
         */
        readonly post: operations["backfillSchedule"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/instances": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * The configured instances, without their tokens, and how they are
         * @description Scope: read.
         */
        readonly get: operations["listInstances"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/instances/{name}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * One instance, without its tokens, and how it is
         * @description Scope: read.
         */
        readonly get: operations["getInstance"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/instances/{name}/pause": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Pause an instance
         * @description No message of the instance is posted until it is resumed. Answers when no POST is under way any more; items in the gateway's queue still go out. An operator's pause lasts until a resume. The same key pauses once: a later resume stays. Scope: admin.
         */
        readonly post: operations["pauseInstance"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/instances/{name}/resume": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Resume a paused instance
         * @description Ends all pauses of the instance. After a yellow card, a block or a suspension it is refused until the account is authorized again. Without a pause it changes nothing. The same key resumes once: a pause that came later stays. Scope: admin.
         */
        readonly post: operations["resumeInstance"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/jobs": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List recurring jobs
         * @description Scope: read.
         */
        readonly get: operations["listJobs"];
        readonly put?: never;
        /**
         * Read something of an account again and again
         * @description The first run is due at once. The same again sets another interval. Scope: send.
         */
        readonly post: operations["beginJob"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/jobs/{id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        readonly post?: never;
        /**
         * Stop a recurring job; what it stored is kept
         * @description Scope: send.
         */
        readonly delete: operations["stopJob"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/stories": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List stored stories, newest first
         * @description Scope: read.
         */
        readonly get: operations["listStories"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/groups/{instance}/{groupId}/snapshots": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * The states of a group, newest first, each with what changed
         * @description Scope: read.
         */
        readonly get: operations["listSnapshots"];
        readonly put?: never;
        /**
         * Store the data of a group as it is now
         * @description Scope: send.
         */
        readonly post: operations["takeSnapshot"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/codec/decode": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Decrypt payloads of Temporal's histories
         * @description For the Web UI: name `/codec` as its codec endpoint. What is not encrypted comes back as it is. Scope: admin, of a key for every instance.
         */
        readonly post: operations["decodePayloads"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/codec/encode": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Encrypt payloads for Temporal's histories
         * @description With the first of EVERPOST_ENCRYPTION_KEYS; without keys they come back as they are. Scope: admin, of a key for every instance.
         */
        readonly post: operations["encodePayloads"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/keys": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List API keys, revoked ones too
         * @description Scope: admin, of a key for every instance.
         */
        readonly get: operations["listKeys"];
        readonly put?: never;
        /**
         * Create an API key
         * @description The response shows the key, and nothing shows it again: only a hash of it is kept. Scope: admin, of a key for every instance.
         */
        readonly post: operations["createKey"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/keys/{name}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * An API key, without the key itself
         * @description Scope: admin, of a key for every instance.
         */
        readonly get: operations["getKey"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/keys/{name}/rotate": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Give an API key another secret
         * @description The key before stays valid for the overlap; one that was still valid from an earlier rotation ends. Scope: admin, of a key for every instance.
         */
        readonly post: operations["rotateKey"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/keys/{name}/revoke": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Revoke an API key for good
         * @description It is refused at once by the process that answers, and within 2 seconds by every other. Scope: admin, of a key for every instance.
         */
        readonly post: operations["revokeKey"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/audit": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Requests that changed something, or were refused it, newest first
         * @description Without bodies. A send is no entry: each message names who asked for it. Scope: admin.
         */
        readonly get: operations["listAudit"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/livez": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** The process runs */
        readonly get: operations["livez"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/readyz": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * The ledger can be reached
         * @description Temporal may be away: messages are taken then, and sent when it is back.
         */
        readonly get: operations["readyz"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/metrics": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Metrics for Prometheus
         * @description Of the ledger, for all instances, and of this process. docs/metrics.md describes each. While the ledger is away, everpost_ledger_up is 0 and its metrics are absent. Scope: read, of a key for every instance.
         */
        readonly get: operations["metrics"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/openapi.json": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** This document */
        readonly get: operations["openapi"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/docs": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** This document as a page */
        readonly get: operations["docs"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        readonly AddSuppression: {
            /** @description Phone number as in a file of recipients, or a chat id ending in @c.us, @g.us or @lid */
            readonly to: string;
            /** @description Of numbers written without + or 00. Without it they are taken as international */
            readonly defaultCountry?: string;
            /** @description For this account only. Default: for all */
            readonly instance?: string;
            /**
             * @description all: transactional messages too. Default: marketing
             * @enum {string}
             */
            readonly scope?: "marketing" | "all";
            /** @description Your own words for it, shown back */
            readonly note?: string;
        };
        readonly AmendCampaign: {
            /** @description The whole new text, with {{variables}}, also for recipients who were sent an older one */
            readonly text: string;
            /** @description Also cancels the recipients who were not posted to. Default: false */
            readonly stop?: boolean;
        };
        readonly Amendment: {
            /** @description Of the campaign's text: `shownVersion` of the report names it */
            readonly contentVersion: number;
            readonly text: string;
            readonly textBefore: string;
            readonly stop: boolean;
            /**
             * @description replaced: a newer amendment took its place
             * @enum {string}
             */
            readonly state: "running" | "ended" | "replaced";
            /** Format: date-time */
            readonly begunAt: string;
            /** Format: date-time */
            readonly endedAt?: string;
            /** @description What it could do for each recipient when it began */
            readonly before: components["schemas"]["AmendmentPlan"];
            /** @description What the recipients saw; they add up to the audience */
            readonly counts: {
                /** @description Saw an older text, which now shows as the new one */
                readonly edited: number;
                /** @description An edit is still to be made or to be confirmed */
                readonly pending: number;
                /** @description The edit was posted, and no sign of success or refusal came */
                readonly unconfirmed: number;
                /** @description The gateway refused the edit */
                readonly refused: number;
                /** @description The 15 minutes were over */
                readonly tooLate: number;
                /** @description Accepted with an older text, and never seen sent */
                readonly notPossible: number;
                /** @description A newer edit took its place */
                readonly superseded: number;
                /** @description Only the new text was posted */
                readonly newText: number;
                /** @description Not posted yet */
                readonly unsent: number;
                /** @description Their own message was edited by itself */
                readonly ownText: number;
                /** @description Ended without being sent */
                readonly notSent: number;
                /** @description It could not be determined whether they were sent anything */
                readonly unresolved: number;
            };
        };
        readonly AmendmentList: {
            readonly items: readonly components["schemas"]["Amendment"][];
        };
        /** @description All but `reachable` and `seconds` add up to the audience */
        readonly AmendmentPlan: {
            readonly audience: number;
            /** @description Sent with an older text less than 15 minutes ago */
            readonly editable: number;
            /** @description Of these, as many as can be edited in time */
            readonly reachable: number;
            /** @description Posted and not sent yet: edited as soon as they are sent */
            readonly underWay: number;
            /** @description Sent with an older text more than 15 minutes ago */
            readonly tooLate: number;
            /** @description Not posted: they get the new text, or are cancelled */
            readonly unsent: number;
            /** @description They have this text already */
            readonly newText: number;
            /** @description Their own message was edited by itself; it stays as it is */
            readonly ownText: number;
            /** @description Ended without being sent */
            readonly notSent: number;
            /** @description It could not be determined whether they were sent anything */
            readonly unresolved: number;
            /** @description How long the reachable edits take */
            readonly seconds: number;
        };
        readonly ApiKey: {
            /** @description The part of the key that is no secret */
            readonly id: string;
            readonly name: string;
            readonly scopes: readonly ("read" | "send" | "admin")[];
            /** @description Absent: every instance */
            readonly instances?: readonly string[];
            /** @description Requests a second. Absent: no limit */
            readonly ratePerSecond?: number;
            /** Format: date-time */
            readonly createdAt: string;
            /** @description Who asked for it */
            readonly createdBy: string;
            /**
             * Format: date-time
             * @description To the minute
             */
            readonly lastUsedAt?: string;
            /** Format: date-time */
            readonly expiresAt?: string;
            /**
             * Format: date-time
             * @description After a rotation: until when the key before is valid as well
             */
            readonly previousUntil?: string;
            /** Format: date-time */
            readonly revokedAt?: string;
        };
        readonly ApiKeyRotation: {
            /**
             * @description How long the key before is valid as well. Default: 24h
             * @default 24h
             */
            readonly overlap: string;
        };
        readonly Attempt: {
            readonly token: string;
            /** Format: date-time */
            readonly claimedAt: string;
            /**
             * Format: date-time
             * @description Its request never leaves after this
             */
            readonly postingDeadlineAt: string;
            /** @enum {string} */
            readonly outcome?: "accepted" | "rejected" | "not_accepted" | "unknown";
            /** Format: date-time */
            readonly outcomeAt?: string;
            /** @description The gateway's id */
            readonly idMessage?: string;
            /** @description Of its failure; see docs/errors.md */
            readonly code?: string;
            /** @description The gateway's own words */
            readonly text?: string;
            readonly httpStatus?: number;
            /**
             * Format: date-time
             * @description Where it was surely not accepted: when the next attempt is due
             */
            readonly retryAt?: string;
        };
        readonly Audience: {
            /** @description Lines of the source with anything on them, its head not counted */
            readonly lines: number;
            /** @description Lines by verdict; they add up to the lines */
            readonly verdicts: {
                readonly accepted: number;
                readonly duplicate: number;
                readonly bad_number: number;
                readonly country_missing: number;
                readonly number_missing: number;
                readonly not_allowed: number;
                readonly unreadable: number;
                readonly bad_value: number;
                readonly lid_only: number;
                readonly own_account: number;
                readonly timezone_unknown: number;
            };
            /** Format: date-time */
            readonly importedAt: string;
        };
        readonly AuditEntry: {
            /** Format: date-time */
            readonly at: string;
            /** @description key:<name>, or loopback where no key was needed */
            readonly witness: string;
            /** @description The operationId */
            readonly route: string;
            readonly objectId?: string;
            readonly instance?: string;
            /** @description Of the response */
            readonly status: number;
            /** @description Of the error that was answered */
            readonly code?: string;
            /** @description X-Request-Id of the response */
            readonly requestId: string;
        };
        readonly AuditList: {
            readonly items: readonly components["schemas"]["AuditEntry"][];
            readonly cursor?: string;
        };
        /** @description Pauses a campaign whose messages do not arrive: failed, no_account, or refused by the gateway */
        readonly AutoPause: "off" | {
            /** @description Paused when more than this share of the newest outcomes did not arrive. Default: 0.3 */
            readonly failureRate?: number;
            /** @description How many of the newest outcomes are counted. Default: 50 */
            readonly sampleSize?: number;
            /** @description With fewer nothing is evaluated. Default: 20 */
            readonly minSamples?: number;
        };
        readonly BackfillSchedule: {
            /**
             * Format: date-time
             * @description The first time
             */
            readonly from: string;
            /**
             * Format: date-time
             * @description The last time, not in the future
             */
            readonly to: string;
        };
        readonly BegunMessage: {
            readonly id: string;
            /** @enum {string} */
            readonly state: "pending" | "sending" | "unknown" | "unresolved" | "accepted" | "sent" | "delivered" | "read" | "rejected" | "failed" | "no_account" | "expired" | "cancelled" | "suppressed";
            readonly instance: string;
            readonly kind: string;
            /** @description What the gateway advises against but takes */
            readonly warnings?: readonly string[];
        };
        readonly Campaign: {
            readonly id: string;
            /** @description Of two responses the higher one is the truth */
            readonly version: number;
            /** @description Of the newest command that took effect; 0 before the first */
            readonly commandSequence: number;
            readonly name?: string;
            readonly instance: string;
            /** @enum {string} */
            readonly state: "draft" | "scheduled" | "running" | "paused" | "cancelling" | "completed" | "completed_with_failures" | "cancelled" | "expired";
            readonly priority: string;
            readonly audience: number;
            /** @description Recipients in each state; they add up to the audience */
            readonly counts: {
                readonly pending: number;
                readonly sending: number;
                readonly unknown: number;
                readonly unresolved: number;
                readonly accepted: number;
                readonly sent: number;
                readonly delivered: number;
                readonly read: number;
                readonly rejected: number;
                readonly failed: number;
                readonly no_account: number;
                readonly expired: number;
                readonly cancelled: number;
                readonly suppressed: number;
            };
            /** @description The campaign fills the gateway's queue up to this many items, whatever their source. Default: by priority */
            readonly highWater: number;
            /** @description Items in the gateway's queue, whatever their source, as read last */
            readonly depth?: number;
            /**
             * Format: date-time
             * @description When the queue was read last
             */
            readonly queueReadAt?: string;
            /** @description Between two releases of the gateway's queue */
            readonly releaseIntervalMs?: number;
            /** @description Why nothing of a running campaign is sent at the moment */
            readonly waiting?: {
                /** @description What stands in the way; docs/errors.md and the guide say what to do about it */
                readonly code: string;
                /** Format: date-time */
                readonly since: string;
                readonly text?: string;
                /**
                 * Format: date-time
                 * @description When it goes on by itself, where time alone decides
                 */
                readonly until?: string;
            };
            /**
             * Format: date-time
             * @description Nothing is posted before this
             */
            readonly startAt?: string;
            /**
             * Format: date-time
             * @description When it was found that its start was later than its grace time
             */
            readonly startMissedAt?: string;
            /** Format: date-time */
            readonly startedAt?: string;
            /** Format: date-time */
            readonly endedAt?: string;
            /** Format: date-time */
            readonly deadlineAt?: string;
            /** @description Recipients posted to, or ended without */
            readonly done: number;
            /** @description Of the audience, rounded down */
            readonly donePercent: number;
            /** @description How many leave the gateway's queue a minute; one decimal below 10 */
            readonly perMinute?: number;
            /**
             * Format: date-time
             * @description When, as things go, the last one leaves the gateway's queue; never in the past
             */
            readonly etaAt?: string;
            /**
             * Format: date-time
             * @description When `etaAt` was computed
             */
            readonly asOf?: string;
            /** @description Why a running or paused campaign has no `etaAt`: `PAUSED`, `RATE_UNKNOWN`, or the code of what it waits for */
            readonly etaUnknown?: string;
            readonly definition: components["schemas"]["CampaignDefinition"];
            /** @description What is sent now: the definition's, unless it was changed */
            readonly content: {
                readonly [key: string]: unknown;
            };
            readonly contentVersion: number;
            /** @description As they are now; absent: whenever its instance sends */
            readonly sendingWindows?: components["schemas"]["SendingWindows"];
            /** @description As they are now */
            readonly limits?: components["schemas"]["CampaignLimits"];
            /** Format: date-time */
            readonly createdAt: string;
            /** Format: date-time */
            readonly cancelRequestedAt?: string;
            /**
             * Format: date-time
             * @description Since when its recipients and messages are removed, for their age; the counts remain
             */
            readonly recipientsRemovedAt?: string;
            /** @description Absent before the first import ended */
            readonly imported?: components["schemas"]["Audience"];
            /** @description An import that is under way, or was cut off */
            readonly importing?: {
                readonly lines: number;
                /** Format: date-time */
                readonly begunAt: string;
            };
            /** @description The latest 20, oldest first; of one campaign, not in lists */
            readonly commands?: readonly {
                readonly kind: string;
                /** Format: date-time */
                readonly askedAt: string;
                /**
                 * Format: date-time
                 * @description When it took effect; absent for one that was refused
                 */
                readonly begunAt?: string;
                /** @description key:<name>, loopback or temporal */
                readonly requestedBy: string;
            }[];
        };
        readonly CampaignDefinition: {
            /** @description Shown in lists, reports and the Web UI of Temporal; at most 200 characters on one line */
            readonly name?: string;
            /** @description Name of the configured instance */
            readonly instance: string;
            readonly content: components["schemas"]["ContentTemplate"];
            /**
             * @description Default: normal
             * @enum {string}
             */
            readonly priority?: "urgent" | "high" | "normal" | "low";
            /**
             * @description Default: marketing
             * @enum {string}
             */
            readonly category?: "transactional" | "marketing";
            /**
             * @description What to do when it is unknown whether the gateway took a message. Default: manual
             * @enum {string}
             */
            readonly onUnknown?: "manual" | "auto";
            /** @description The campaign fills the gateway's queue up to this many items, whatever their source. Default: by priority */
            readonly highWater?: number;
            /**
             * Format: date-time
             * @description Once started, nothing is posted before this. Default: at once
             */
            readonly startAt?: string;
            /**
             * @description A start that is later than its grace time starts all the same, is skipped, or is held until an operator resumes it. Default: hold; skip for the message of a schedule
             * @enum {string}
             */
            readonly missedStart?: "run" | "skip" | "hold";
            /** @description How late a start may be without being missed. Default: 1h */
            readonly graceTime?: string;
            /**
             * Format: date-time
             * @description No recipient is posted to after this. Default: seven days after the start
             */
            readonly deadline?: string;
            /** @description Of numbers written without + or 00. Without it they are taken as international */
            readonly defaultCountry?: string;
            readonly autoPause?: components["schemas"]["AutoPause"];
            /** @description When it sends. Default: whenever its instance does */
            readonly sendingWindows?: components["schemas"]["SendingWindows"];
            readonly limits?: components["schemas"]["CampaignLimits"];
            /** @description How long typing is shown in the chat before each message, 1s to 20s. Default: not */
            readonly typing?: string;
            /** @description Of recipients without one, where `sendingWindows` go by their clocks. Without it they are rejected */
            readonly defaultTimezone?: string;
            /** @description Your own words for it, shown back */
            readonly reference?: string;
        };
        readonly CampaignLimits: {
            readonly perDay?: number;
            /** @description A pause after each message, at random between both limits */
            readonly jitter?: {
                readonly minMs: number;
                readonly maxMs: number;
                /** @description Default: the campaign's id */
                readonly seed?: string;
            };
        };
        readonly CampaignList: {
            readonly items: readonly components["schemas"]["Campaign"][];
            readonly cursor?: string;
        };
        readonly CampaignPlan: {
            readonly id: string;
            readonly instance: string;
            /** @enum {string} */
            readonly state: "draft" | "scheduled" | "running" | "paused" | "cancelling" | "completed" | "completed_with_failures" | "cancelled" | "expired";
            readonly audience: number;
            readonly imported?: components["schemas"]["Audience"];
            /** @description Variables without a fallback that a recipient has no value for: the campaign does not start */
            readonly missing: readonly {
                readonly variable: string;
                readonly recipients: number;
                readonly firstLine: number;
            }[];
            /** @description Recipients whose message the gateway would refuse; they end rejected */
            readonly refused: {
                readonly recipients: number;
                readonly firstLine?: number;
                readonly problems: readonly {
                    readonly path: string;
                    readonly message: string;
                }[];
            };
            /** @description Recipients on the suppression list; they end suppressed, unless they are taken off it before */
            readonly suppressed: {
                readonly recipients: number;
                readonly firstLine?: number;
            };
            /** @description Recipients who have had as many marketing messages as the instance's frequencyCap allows; as of now */
            readonly overFrequencyCap: {
                readonly recipients: number;
                readonly firstLine?: number;
            };
            readonly samples: readonly {
                readonly line: number;
                readonly chatId: string;
                readonly content: {
                    readonly [key: string]: unknown;
                };
                readonly problems: readonly {
                    readonly path: string;
                    readonly message: string;
                }[];
            }[];
            readonly forecast: {
                readonly recipients: number;
                readonly depth?: number;
                /** @enum {string} */
                readonly depthFrom?: "read" | "estimated";
                /** Format: date-time */
                readonly depthReadAt?: string;
                readonly releaseIntervalMs: number;
                /** @enum {string} */
                readonly intervalFrom: "learned" | "settings" | "assumed";
                /** Format: date-time */
                readonly startsAt: string;
                /**
                 * Format: date-time
                 * @description When the last one leaves the gateway's queue, if nothing else is sent. Absent when none is posted
                 */
                readonly finishesAt?: string;
                /** @description From the start to that */
                readonly durationSeconds: number;
                /** @description Recipients who are not posted to before the deadline; they end expired */
                readonly notPosted: number;
                /** @description By whose clock the rows are */
                readonly timezone: string;
                /** @enum {string} */
                readonly by: "hour" | "day";
                /** @description Hours or days in which something is posted or leaves */
                readonly rows: readonly {
                    /** Format: date-time */
                    readonly from: string;
                    /** Format: date-time */
                    readonly until: string;
                    readonly posted: number;
                    /** @description Released by the queue */
                    readonly left: number;
                }[];
                /** @description When nothing is posted, and why */
                readonly waits: readonly {
                    /** Format: date-time */
                    readonly from: string;
                    /** Format: date-time */
                    readonly until: string;
                    /** @enum {string} */
                    readonly reason: "SENDING_WINDOW_CLOSED" | "QUIET_HOURS" | "DAILY_LIMIT_REACHED" | "OFFLINE";
                }[];
            };
            readonly warnings: readonly {
                readonly code: string;
                readonly text: string;
            }[];
            readonly canStart: boolean;
        };
        readonly CampaignProgress: {
            readonly id: string;
            /** @description Of two responses the higher one is the truth */
            readonly version: number;
            /** @description Of the newest command that took effect; 0 before the first */
            readonly commandSequence: number;
            readonly name?: string;
            readonly instance: string;
            /** @enum {string} */
            readonly state: "draft" | "scheduled" | "running" | "paused" | "cancelling" | "completed" | "completed_with_failures" | "cancelled" | "expired";
            readonly priority: string;
            readonly audience: number;
            /** @description Recipients in each state; they add up to the audience */
            readonly counts: {
                readonly pending: number;
                readonly sending: number;
                readonly unknown: number;
                readonly unresolved: number;
                readonly accepted: number;
                readonly sent: number;
                readonly delivered: number;
                readonly read: number;
                readonly rejected: number;
                readonly failed: number;
                readonly no_account: number;
                readonly expired: number;
                readonly cancelled: number;
                readonly suppressed: number;
            };
            /** @description The campaign fills the gateway's queue up to this many items, whatever their source. Default: by priority */
            readonly highWater: number;
            /** @description Items in the gateway's queue, whatever their source, as read last */
            readonly depth?: number;
            /**
             * Format: date-time
             * @description When the queue was read last
             */
            readonly queueReadAt?: string;
            /** @description Between two releases of the gateway's queue */
            readonly releaseIntervalMs?: number;
            /** @description Why nothing of a running campaign is sent at the moment */
            readonly waiting?: {
                /** @description What stands in the way; docs/errors.md and the guide say what to do about it */
                readonly code: string;
                /** Format: date-time */
                readonly since: string;
                readonly text?: string;
                /**
                 * Format: date-time
                 * @description When it goes on by itself, where time alone decides
                 */
                readonly until?: string;
            };
            /**
             * Format: date-time
             * @description Nothing is posted before this
             */
            readonly startAt?: string;
            /**
             * Format: date-time
             * @description When it was found that its start was later than its grace time
             */
            readonly startMissedAt?: string;
            /** Format: date-time */
            readonly startedAt?: string;
            /** Format: date-time */
            readonly endedAt?: string;
            /** Format: date-time */
            readonly deadlineAt?: string;
            /** @description Recipients posted to, or ended without */
            readonly done: number;
            /** @description Of the audience, rounded down */
            readonly donePercent: number;
            /** @description How many leave the gateway's queue a minute; one decimal below 10 */
            readonly perMinute?: number;
            /**
             * Format: date-time
             * @description When, as things go, the last one leaves the gateway's queue; never in the past
             */
            readonly etaAt?: string;
            /**
             * Format: date-time
             * @description When `etaAt` was computed
             */
            readonly asOf?: string;
            /** @description Why a running or paused campaign has no `etaAt`: `PAUSED`, `RATE_UNKNOWN`, or the code of what it waits for */
            readonly etaUnknown?: string;
        };
        readonly CampaignResponse: {
            readonly progress: components["schemas"]["CampaignProgress"];
            /** @description Messages that the gateway has accepted and, as far as is known, not sent: they still go out */
            readonly inGatewayQueue: number;
        };
        readonly Cancellation: {
            readonly id: string;
            /** @description True when it will surely never be posted */
            readonly cancelled: boolean;
            /** @enum {string} */
            readonly state: "pending" | "sending" | "unknown" | "unresolved" | "accepted" | "sent" | "delivered" | "read" | "rejected" | "failed" | "no_account" | "expired" | "cancelled" | "suppressed";
        };
        readonly ContactContent: {
            /** @constant */
            readonly kind: "contact";
            readonly contact: {
                /** @description The digits of an international number, as a number: 15551234567 */
                readonly phoneContact: number;
                readonly firstName?: string;
                readonly middleName?: string;
                readonly lastName?: string;
                readonly company?: string;
            };
            readonly quotedMessageId?: string;
        };
        /** @description A message's content in which every text may hold {{variables}}, or {{variables|with something instead}}: columns of the recipients' file */
        readonly ContentTemplate: {
            /** @enum {string} */
            readonly kind: "text" | "file" | "poll" | "location" | "contact" | "forward" | "template";
        } & {
            readonly [key: string]: unknown;
        };
        readonly DailyWindow: {
            /** @description On which days it begins. Default: every day */
            readonly days?: readonly ("mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun")[];
            readonly from: string;
            /** @description Just before it. At or before `from`: on the next day */
            readonly until: string;
        };
        readonly Edit: {
            readonly id: string;
            /** @enum {string} */
            readonly state: "pending" | "sending" | "posted" | "edited" | "too_late" | "refused" | "unconfirmed" | "superseded" | "not_possible";
            /** @enum {string} */
            readonly via?: "before_send" | "gateway";
            readonly text?: string;
            /** Format: date-time */
            readonly requestedAt?: string;
            /** Format: date-time */
            readonly postedAt?: string;
            /** Format: date-time */
            readonly endedAt?: string;
            readonly idMessageGiven?: string;
            readonly idMessageReturned?: string;
            readonly reason?: string;
            readonly messageId: string;
            /**
             * @description Its state, once it has ended
             * @enum {string}
             */
            readonly outcome?: "pending" | "sending" | "posted" | "edited" | "too_late" | "refused" | "unconfirmed" | "superseded" | "not_possible";
        };
        readonly EditRequest: {
            /** @description The whole new text, at most 20,000 characters */
            readonly text: string;
        };
        readonly Erasure: {
            readonly id: string;
            /** @enum {string} */
            readonly state: "pending" | "done";
            readonly requestedBy: string;
            /** Format: date-time */
            readonly requestedAt: string;
            /** Format: date-time */
            readonly endedAt?: string;
            /** @description Keyed hashes of the chat: this ledger knows by them that it was erased. The number is not kept */
            readonly chatHashes: readonly string[];
            /** @description How many rows of each table were erased */
            readonly rows: {
                readonly [key: string]: number;
            };
            /** @description What has to end before: how many messages, edits and notifications */
            readonly waiting: {
                readonly [key: string]: number;
            };
        };
        readonly Event: {
            readonly id: string;
            /** @enum {string} */
            readonly type: "message.received" | "reaction.received" | "call.received" | "notification.received" | "message.state_changed" | "message.unresolved" | "edit.settled" | "campaign.state_changed" | "template.reviewed" | "instance.state_changed" | "endpoint.test";
            /** Format: date-time */
            readonly timestamp: string;
            readonly instance: string;
            /** @description Of a notification its body, unchanged */
            readonly data: unknown;
        };
        readonly EventDelivery: {
            readonly endpointId: string;
            readonly tries: number;
            /** Format: date-time */
            readonly deliveredAt?: string;
            /** Format: date-time */
            readonly givenUpAt?: string;
            /** @description Why its last try failed */
            readonly problem?: string;
            /** Format: date-time */
            readonly nextTryAt?: string;
        };
        readonly EventEndpoint: {
            readonly id: string;
            readonly instance: string;
            readonly url?: string;
            readonly events: readonly string[];
            readonly raw: boolean;
            readonly description?: string;
            /** @description Whether it is sent an Authorization header of its own */
            readonly hasAuthorization: boolean;
            readonly enabled: boolean;
            /** @description `operator`, or what the endpoint answered: `HTTP 410` */
            readonly disabledReason?: string;
            /** Format: date-time */
            readonly disabledAt?: string;
            /** Format: date-time */
            readonly createdAt: string;
            /**
             * Format: date-time
             * @description Until when former secrets sign as well
             */
            readonly formerSecretsUntil?: string;
            /** @description Deliveries that have not ended */
            readonly waiting: number;
            /**
             * Format: date-time
             * @description Since when the oldest of those waits
             */
            readonly waitingSince?: string;
            /** @description Why its last try failed */
            readonly problem?: string;
            /** @description Deliveries that were set aside after three days; a replay delivers them again */
            readonly failed: number;
        };
        readonly EventEndpointChange: {
            /**
             * Format: uri
             * @description Where events are posted. Without it they are only stored, to be listed
             */
            readonly url?: string;
            /** @description Types, or * for all: message.received, reaction.received, call.received, notification.received, message.state_changed, message.unresolved, edit.settled, campaign.state_changed, template.reviewed, instance.state_changed, endpoint.test. Default: all */
            readonly events?: readonly string[];
            readonly description?: string | null;
            readonly authorization?: string | null;
            readonly enabled?: boolean;
        };
        readonly EventEndpointWithSecret: {
            readonly id: string;
            readonly instance: string;
            readonly url?: string;
            readonly events: readonly string[];
            readonly raw: boolean;
            readonly description?: string;
            /** @description Whether it is sent an Authorization header of its own */
            readonly hasAuthorization: boolean;
            readonly enabled: boolean;
            /** @description `operator`, or what the endpoint answered: `HTTP 410` */
            readonly disabledReason?: string;
            /** Format: date-time */
            readonly disabledAt?: string;
            /** Format: date-time */
            readonly createdAt: string;
            /**
             * Format: date-time
             * @description Until when former secrets sign as well
             */
            readonly formerSecretsUntil?: string;
            /** @description Deliveries that have not ended */
            readonly waiting: number;
            /**
             * Format: date-time
             * @description Since when the oldest of those waits
             */
            readonly waitingSince?: string;
            /** @description Why its last try failed */
            readonly problem?: string;
            /** @description Deliveries that were set aside after three days; a replay delivers them again */
            readonly failed: number;
            /** @description The key that signs, shown this once. Absent where the same request had made it before */
            readonly secret?: string;
        };
        readonly EventList: {
            readonly items: readonly components["schemas"]["Event"][];
            readonly cursor: string;
        };
        readonly EventReplay: {
            /** @description One event, by its id */
            readonly event?: string;
            /** Format: date-time */
            readonly from?: string;
            /**
             * Format: date-time
             * @description Before this. Default: now
             */
            readonly to?: string;
        };
        readonly EventWithDeliveries: {
            readonly id: string;
            /** @enum {string} */
            readonly type: "message.received" | "reaction.received" | "call.received" | "notification.received" | "message.state_changed" | "message.unresolved" | "edit.settled" | "campaign.state_changed" | "template.reviewed" | "instance.state_changed" | "endpoint.test";
            /** Format: date-time */
            readonly timestamp: string;
            readonly instance: string;
            /** @description Of a notification its body, unchanged */
            readonly data: unknown;
            readonly deliveries: readonly components["schemas"]["EventDelivery"][];
        };
        readonly FileContent: {
            /** @constant */
            readonly kind: "file";
            /** @description http or https; given to the gateway as it is, unencoded */
            readonly url?: string;
            /** @description In place of url: of a file that was stored by POST /v1/files */
            readonly fileId?: string;
            /** @description With its extension, which decides how it is shown */
            readonly fileName: string;
            /** @description At most 20,000 characters */
            readonly caption?: string;
            readonly quotedMessageId?: string;
            /** @description Seconds, 1 to 20 */
            readonly typingTime?: number;
            /** @constant */
            readonly typingType?: "recording";
        };
        readonly ForwardContent: {
            /** @constant */
            readonly kind: "forward";
            /** @description The chat in which the message to forward is */
            readonly chatIdFrom: string;
            /** @description The gateway's id of the message to forward: exactly one */
            readonly messages: readonly string[];
            /** @description Milliseconds, 1,000 to 20,000 */
            readonly typingTime?: number;
        };
        readonly GivenPayloads: {
            /** @description Temporal's payloads as its JSON writes them: bytes in base64 */
            readonly payloads: readonly {
                readonly metadata?: {
                    readonly [key: string]: string;
                };
                readonly data?: string;
            }[];
        };
        readonly GroupRecipients: {
            /** @description Its participants become the audience */
            readonly group: string;
        };
        readonly GroupSnapshot: {
            readonly instance: string;
            readonly groupId: string;
            /** Format: date-time */
            readonly takenAt: string;
            /**
             * Format: date-time
             * @description When it was last seen like this
             */
            readonly seenUntil: string;
            readonly fields: {
                readonly [key: string]: string | number | boolean;
            };
            readonly participants: readonly {
                readonly id: string;
                readonly isAdmin: boolean;
            }[];
            /** @description Since the snapshot before; absent for the first one */
            readonly changes?: {
                readonly joined: readonly string[];
                readonly left: readonly string[];
                readonly becameAdmin: readonly string[];
                readonly noLongerAdmin: readonly string[];
                readonly fields: readonly {
                    readonly name: string;
                    readonly before?: unknown;
                    readonly after?: unknown;
                }[];
            };
        };
        readonly GroupSnapshotList: {
            readonly items: readonly components["schemas"]["GroupSnapshot"][];
        };
        readonly Health: {
            /** @constant */
            readonly status: "ok";
        };
        readonly Imported: {
            /** @description Lines of the source with anything on them, its head not counted */
            readonly lines: number;
            /** @description Lines by verdict; they add up to the lines */
            readonly verdicts: {
                readonly accepted: number;
                readonly duplicate: number;
                readonly bad_number: number;
                readonly country_missing: number;
                readonly number_missing: number;
                readonly not_allowed: number;
                readonly unreadable: number;
                readonly bad_value: number;
                readonly lid_only: number;
                readonly own_account: number;
                readonly timezone_unknown: number;
            };
            /** Format: date-time */
            readonly importedAt: string;
            /** @description True: the campaign had this very audience already */
            readonly unchanged: boolean;
        };
        readonly ImportedSuppressions: {
            /** @description With anything on them, a head not counted */
            readonly lines: number;
            /** @description Lines by verdict; they add up to the lines */
            readonly verdicts: {
                readonly added: number;
                readonly already: number;
                readonly bad_number: number;
                readonly country_missing: number;
                readonly number_missing: number;
                readonly unreadable: number;
                readonly bad_value: number;
            };
            /** @description Lines that are no entry, the first ten thousand of them */
            readonly rejects: readonly {
                readonly line: number;
                readonly reason: string;
                readonly value: string;
            }[];
        };
        readonly Instance: {
            readonly name: string;
            readonly idInstance: string;
            readonly baseUrl: string;
            readonly mediaUrl?: string;
            readonly capabilities?: readonly string[];
            /** @description Only the chats listed in the configuration may be written to */
            readonly restricted: boolean;
            /** @description Notifications are accepted with a token only */
            readonly webhookAuthorization: boolean;
            /**
             * @description Pushed by the gateway, or asked for
             * @enum {string}
             */
            readonly notifications: "push" | "poll";
            /**
             * @description Whether each message by HTTP has a workflow, or only one that needs it
             * @enum {string}
             */
            readonly messageWorkflows: "always" | "on_demand";
            /** @description The gateway's word, e.g. authorized; absent until it is known */
            readonly state?: string;
            /**
             * Format: date-time
             * @description Since when it is known to be in this state
             */
            readonly stateSince?: string;
            /**
             * Format: date-time
             * @description When it was seen in it last
             */
            readonly stateSeenAt?: string;
            /** @description Of the gateway with the network: the gateway's word, e.g. online. Pauses nothing */
            readonly connection?: {
                readonly status: string;
                /** Format: date-time */
                readonly since: string;
            };
            /** @description Why nothing is sent; empty when it is not paused */
            readonly pauses: readonly {
                /** @enum {string} */
                readonly reason: "yellowCard" | "blocked" | "suspended" | "operator";
                /**
                 * Format: date-time
                 * @description When the account was first seen so, or the operator paused it
                 */
                readonly since: string;
                /** @description Who said so: a notification, getStateInstance, or an operator */
                readonly witness: string;
                /**
                 * @description operator: an operator resumes it. authorized: it ends once the account is authorized
                 * @enum {string}
                 */
                readonly resumedBy: "operator" | "authorized";
            }[];
            /** @description Empty until it was read */
            readonly queue: {
                /** @description Items in the gateway's queue, whatever their source, as read last */
                readonly depth?: number;
                /** Format: date-time */
                readonly readAt?: string;
                /** @description Between two releases */
                readonly releaseIntervalMs?: number;
            };
            /** @description The worker that dispatches its messages, or did so last; empty before the first message */
            readonly dispatcher: {
                readonly worker?: string;
                /**
                 * Format: date-time
                 * @description Absent while no worker serves it, because nothing is due
                 */
                readonly servedSince?: string;
                /** Format: date-time */
                readonly seenAt?: string;
                /** @description POSTs under way */
                readonly inFlight?: number;
                /** @description How many may be under way */
                readonly window?: number;
            };
            readonly waiting: {
                /** @description Single messages that have not been posted, counted up to 10,000 */
                readonly messages: number;
                /** @description Campaigns that dispatch nothing at the moment, and why */
                readonly campaigns: readonly {
                    readonly id: string;
                    /** @enum {string} */
                    readonly state: "draft" | "scheduled" | "running" | "paused" | "cancelling" | "completed" | "completed_with_failures" | "cancelled" | "expired";
                    readonly waiting: {
                        /** @description What stands in the way; docs/errors.md and the guide say what to do about it */
                        readonly code: string;
                        /** Format: date-time */
                        readonly since: string;
                        readonly text?: string;
                        /**
                         * Format: date-time
                         * @description When it goes on by itself, where time alone decides
                         */
                        readonly until?: string;
                    };
                }[];
                /** @description Messages whose response was lost, counted up to 100, and whose outcome is not known yet */
                readonly unknownOutcomes: number;
            };
            /** @description What its hours and limits keep back now; empty when they keep back nothing */
            readonly closed: readonly {
                /**
                 * @description all: every message that is not urgent
                 * @enum {string}
                 */
                readonly messages: "all" | "marketing";
                /** @description SENDING_WINDOW_CLOSED, QUIET_HOURS or DAILY_LIMIT_REACHED */
                readonly code: string;
                readonly text?: string;
                /** Format: date-time */
                readonly since?: string;
                /**
                 * Format: date-time
                 * @description Absent: no open time comes within 400 days
                 */
                readonly until?: string;
            }[];
            /** @description By the day of the instance's clock; absent without a daily cap */
            readonly today?: {
                readonly posted: number;
                readonly cap: number;
                /**
                 * Format: date-time
                 * @description When the next day begins
                 */
                readonly until: string;
            };
            /**
             * Format: date-time
             * @description When its last notification came in
             */
            readonly lastNotificationAt?: string;
        };
        readonly IssuedApiKey: {
            /** @description The part of the key that is no secret */
            readonly id: string;
            readonly name: string;
            readonly scopes: readonly ("read" | "send" | "admin")[];
            /** @description Absent: every instance */
            readonly instances?: readonly string[];
            /** @description Requests a second. Absent: no limit */
            readonly ratePerSecond?: number;
            /** Format: date-time */
            readonly createdAt: string;
            /** @description Who asked for it */
            readonly createdBy: string;
            /**
             * Format: date-time
             * @description To the minute
             */
            readonly lastUsedAt?: string;
            /** Format: date-time */
            readonly expiresAt?: string;
            /**
             * Format: date-time
             * @description After a rotation: until when the key before is valid as well
             */
            readonly previousUntil?: string;
            /** Format: date-time */
            readonly revokedAt?: string;
            /** @description The key itself. It is shown this once */
            readonly key: string;
        };
        readonly LocationContent: {
            /** @constant */
            readonly kind: "location";
            /** @description Degrees, -90 to 90 */
            readonly latitude: number;
            /** @description Degrees, -180 to 180 */
            readonly longitude: number;
            readonly nameLocation?: string;
            readonly address?: string;
            readonly quotedMessageId?: string;
        };
        readonly Message: {
            readonly id: string;
            readonly instance: string;
            readonly chatId?: string;
            readonly content: components["schemas"]["TextContent"] | components["schemas"]["FileContent"] | components["schemas"]["StatusContent"] | components["schemas"]["PollContent"] | components["schemas"]["LocationContent"] | components["schemas"]["ContactContent"] | components["schemas"]["ForwardContent"] | components["schemas"]["TemplateContent"];
            /** @enum {string} */
            readonly state: "pending" | "sending" | "unknown" | "unresolved" | "accepted" | "sent" | "delivered" | "read" | "rejected" | "failed" | "no_account" | "expired" | "cancelled" | "suppressed";
            readonly version: number;
            readonly priority: string;
            readonly category: string;
            readonly onUnknown: string;
            readonly reference?: string;
            readonly statusCallback?: string;
            /** @description Who asked for it: key:<name>, loopback (no key was needed) or temporal; absent in a campaign */
            readonly requestedBy?: string;
            /** @description The gateway's id */
            readonly idMessage?: string;
            /** @description Stable word for why it ended as it did */
            readonly reason?: string;
            /** @description The gateway's own words */
            readonly reasonText?: string;
            /** Format: date-time */
            readonly createdAt: string;
            /**
             * Format: date-time
             * @description Not posted before this, where the request said so
             */
            readonly sendAt?: string;
            /** @description How long typing is shown before it */
            readonly typing?: string;
            /** Format: date-time */
            readonly expiresAt: string;
            /**
             * Format: date-time
             * @description By our own clock, as are the next three; they never run backwards
             */
            readonly acceptedAt?: string;
            /**
             * Format: date-time
             * @description When the first receipt that implies it came
             */
            readonly sentAt?: string;
            /** Format: date-time */
            readonly deliveredAt?: string;
            /** Format: date-time */
            readonly readAt?: string;
            /**
             * Format: date-time
             * @description What the gateway says, by its own clock, in whole seconds
             */
            readonly gatewaySentAt?: string;
            /** Format: date-time */
            readonly gatewayDeliveredAt?: string;
            /** Format: date-time */
            readonly gatewayReadAt?: string;
            /** Format: date-time */
            readonly endedAt?: string;
            /** Format: date-time */
            readonly editableUntil?: string;
            /** @description The workflow that sends it, unless that is `message:<id>` */
            readonly workflowId?: string;
            /**
             * Format: date-time
             * @description While accepted without a receipt: until when the gateway may still send it
             */
            readonly mayLeaveUntil?: string;
            /** @description The campaign that it belongs to */
            readonly campaignId?: string;
            /** @description The recipient's line in the campaign's file */
            readonly line?: number;
            /** @description What a pending message waits for */
            readonly waiting?: {
                /** @description What stood in the way of its last attempt; docs/errors.md says what to do about it */
                readonly code: string;
                /** @description The gateway's own words */
                readonly text?: string;
                /**
                 * Format: date-time
                 * @description Since when nothing else has stood in the way
                 */
                readonly since: string;
                /** Format: date-time */
                readonly nextTryAt?: string;
                /** @description The equal message to the same chat whose outcome is not known yet */
                readonly identical?: string;
            };
            /** @description While its state is `unknown`: how long it is tried to find out, and what follows */
            readonly unknown?: {
                /**
                 * Format: date-time
                 * @description When the request began to leave
                 */
                readonly since: string;
                /**
                 * Format: date-time
                 * @description Until when the gateway's queue, journal and notifications are watched
                 */
                readonly witnessesUntil: string;
                /**
                 * Format: date-time
                 * @description Until when at the latest, where one of them cannot be asked
                 */
                readonly atLatest: string;
                /**
                 * @description `unresolved`: an operator resolves it. `presume_or_unresolved`: sent again once it is presumed never to have been accepted, else unresolved
                 * @enum {string}
                 */
                readonly then: "unresolved" | "presume_or_unresolved";
            };
            readonly evidence: readonly {
                /** Format: date-time */
                readonly at: string;
                readonly witness: string;
                readonly what: string;
                readonly detail?: {
                    readonly [key: string]: unknown;
                };
            }[];
            readonly attempts: readonly components["schemas"]["Attempt"][];
            readonly edits: readonly components["schemas"]["MessageEdit"][];
            /** @description What is posted to its statusCallback, in order */
            readonly callbacks?: readonly {
                /** @enum {string} */
                readonly state: "pending" | "sending" | "unknown" | "unresolved" | "accepted" | "sent" | "delivered" | "read" | "rejected" | "failed" | "no_account" | "expired" | "cancelled" | "suppressed";
                /**
                 * Format: date-time
                 * @description When the state was reached
                 */
                readonly at: string;
                readonly tries: number;
                /** Format: date-time */
                readonly deliveredAt?: string;
                /** Format: date-time */
                readonly givenUpAt?: string;
                /** @description What the last try failed of */
                readonly problem?: string;
                /** Format: date-time */
                readonly nextTryAt?: string;
            }[];
        };
        readonly MessageEdit: {
            readonly id: string;
            /** @enum {string} */
            readonly state: "pending" | "sending" | "posted" | "edited" | "too_late" | "refused" | "unconfirmed" | "superseded" | "not_possible";
            /** @enum {string} */
            readonly via?: "before_send" | "gateway";
            readonly text?: string;
            /** Format: date-time */
            readonly requestedAt?: string;
            /** Format: date-time */
            readonly postedAt?: string;
            /** Format: date-time */
            readonly endedAt?: string;
            readonly idMessageGiven?: string;
            readonly idMessageReturned?: string;
            readonly reason?: string;
        };
        readonly MessageList: {
            readonly items: readonly components["schemas"]["MessageListItem"][];
            readonly cursor?: string;
        };
        readonly MessageListItem: {
            readonly id: string;
            readonly instance: string;
            readonly chatId?: string;
            readonly content: components["schemas"]["TextContent"] | components["schemas"]["FileContent"] | components["schemas"]["StatusContent"] | components["schemas"]["PollContent"] | components["schemas"]["LocationContent"] | components["schemas"]["ContactContent"] | components["schemas"]["ForwardContent"] | components["schemas"]["TemplateContent"];
            /** @enum {string} */
            readonly state: "pending" | "sending" | "unknown" | "unresolved" | "accepted" | "sent" | "delivered" | "read" | "rejected" | "failed" | "no_account" | "expired" | "cancelled" | "suppressed";
            readonly version: number;
            readonly priority: string;
            readonly category: string;
            readonly onUnknown: string;
            readonly reference?: string;
            readonly statusCallback?: string;
            /** @description Who asked for it: key:<name>, loopback (no key was needed) or temporal; absent in a campaign */
            readonly requestedBy?: string;
            /** @description The gateway's id */
            readonly idMessage?: string;
            /** @description Stable word for why it ended as it did */
            readonly reason?: string;
            /** @description The gateway's own words */
            readonly reasonText?: string;
            /** Format: date-time */
            readonly createdAt: string;
            /**
             * Format: date-time
             * @description Not posted before this, where the request said so
             */
            readonly sendAt?: string;
            /** @description How long typing is shown before it */
            readonly typing?: string;
            /** Format: date-time */
            readonly expiresAt: string;
            /**
             * Format: date-time
             * @description By our own clock, as are the next three; they never run backwards
             */
            readonly acceptedAt?: string;
            /**
             * Format: date-time
             * @description When the first receipt that implies it came
             */
            readonly sentAt?: string;
            /** Format: date-time */
            readonly deliveredAt?: string;
            /** Format: date-time */
            readonly readAt?: string;
            /**
             * Format: date-time
             * @description What the gateway says, by its own clock, in whole seconds
             */
            readonly gatewaySentAt?: string;
            /** Format: date-time */
            readonly gatewayDeliveredAt?: string;
            /** Format: date-time */
            readonly gatewayReadAt?: string;
            /** Format: date-time */
            readonly endedAt?: string;
            /** Format: date-time */
            readonly editableUntil?: string;
            /** @description The workflow that sends it, unless that is `message:<id>` */
            readonly workflowId?: string;
            /**
             * Format: date-time
             * @description While accepted without a receipt: until when the gateway may still send it
             */
            readonly mayLeaveUntil?: string;
            /** @description The campaign that it belongs to */
            readonly campaignId?: string;
            /** @description The recipient's line in the campaign's file */
            readonly line?: number;
        };
        readonly NewApiKey: {
            /** @description The witness in evidence and in the audit list; never given to another key */
            readonly name: string;
            /** @description None includes another */
            readonly scopes: readonly ("read" | "send" | "admin")[];
            /** @description What else there is does not exist for the key. Default: every instance */
            readonly instances?: readonly string[];
            /** @description Default: no limit */
            readonly ratePerSecond?: number;
            /** @description e.g. 90d. Default: never */
            readonly expiresIn?: string;
        };
        readonly NewCampaign: {
            /** @description Your own name for it. Default: made from the Idempotency-Key */
            readonly id?: string;
            /** @description Shown in lists, reports and the Web UI of Temporal; at most 200 characters on one line */
            readonly name?: string;
            /** @description Name of the configured instance */
            readonly instance: string;
            readonly content: components["schemas"]["ContentTemplate"];
            /**
             * @description Default: normal
             * @enum {string}
             */
            readonly priority?: "urgent" | "high" | "normal" | "low";
            /**
             * @description Default: marketing
             * @enum {string}
             */
            readonly category?: "transactional" | "marketing";
            /**
             * @description What to do when it is unknown whether the gateway took a message. Default: manual
             * @enum {string}
             */
            readonly onUnknown?: "manual" | "auto";
            /** @description The campaign fills the gateway's queue up to this many items, whatever their source. Default: by priority */
            readonly highWater?: number;
            /**
             * Format: date-time
             * @description Once started, nothing is posted before this. Default: at once
             */
            readonly startAt?: string;
            /**
             * @description A start that is later than its grace time starts all the same, is skipped, or is held until an operator resumes it. Default: hold; skip for the message of a schedule
             * @enum {string}
             */
            readonly missedStart?: "run" | "skip" | "hold";
            /** @description How late a start may be without being missed. Default: 1h */
            readonly graceTime?: string;
            /**
             * Format: date-time
             * @description No recipient is posted to after this. Default: seven days after the start
             */
            readonly deadline?: string;
            /** @description Of numbers written without + or 00. Without it they are taken as international */
            readonly defaultCountry?: string;
            readonly autoPause?: components["schemas"]["AutoPause"];
            /** @description When it sends. Default: whenever its instance does */
            readonly sendingWindows?: components["schemas"]["SendingWindows"];
            readonly limits?: components["schemas"]["CampaignLimits"];
            /** @description How long typing is shown in the chat before each message, 1s to 20s. Default: not */
            readonly typing?: string;
            /** @description Of recipients without one, where `sendingWindows` go by their clocks. Without it they are rejected */
            readonly defaultTimezone?: string;
            /** @description Your own words for it, shown back */
            readonly reference?: string;
        };
        readonly NewErasure: {
            /** @description Phone number as in a file of recipients, or a chat id ending in @c.us, @g.us or @lid */
            readonly to: string;
            /** @description Of numbers written without + or 00. Without it they are taken as international */
            readonly defaultCountry?: string;
        };
        readonly NewEventEndpoint: {
            readonly instance: string;
            /**
             * Format: uri
             * @description Where events are posted. Without it they are only stored, to be listed
             */
            readonly url?: string;
            /** @description Types, or * for all: message.received, reaction.received, call.received, notification.received, message.state_changed, message.unresolved, edit.settled, campaign.state_changed, template.reviewed, instance.state_changed, endpoint.test. Default: all */
            readonly events?: readonly string[];
            /** @description Pass on every notification of the gateway unchanged, and nothing else. Default: false */
            readonly raw?: boolean;
            readonly description?: string;
            /** @description Sent as the Authorization header, for a bot that expects it. Never shown again */
            readonly authorization?: string;
        };
        readonly NewRecurringJob: {
            readonly instance: string;
            /**
             * @description stories: stores incoming stories. group: stores the data of a group
             * @enum {string}
             */
            readonly kind: "stories" | "group";
            /** @description Of kind group */
            readonly groupId?: string;
            /** @description How often it runs. Stories are shown for a day */
            readonly everyMinutes: number;
        };
        readonly NewSchedule: {
            /** @description Your own name for it. Default: made from the Idempotency-Key */
            readonly id?: string;
            readonly campaign?: components["schemas"]["ScheduledCampaign"];
            readonly recipients?: components["schemas"]["ScheduleRecipients"];
            /** @description In place of campaign and recipients */
            readonly message?: components["schemas"]["ScheduledMessage"];
            /** @description Five fields each: minute, hour, day of month, month, day of week; e.g. 0 9 * * MON */
            readonly cron?: readonly string[];
            readonly calendars?: readonly components["schemas"]["ScheduleCalendar"][];
            /** @description IANA name, e.g. Europe/Lisbon. Default: UTC */
            readonly timezone?: string;
            /** @description Each start is later by a part of this. Default: none */
            readonly jitter?: string;
            /**
             * Format: date-time
             * @description No run before this
             */
            readonly startAt?: string;
            /**
             * Format: date-time
             * @description No run after this
             */
            readonly endAt?: string;
            /**
             * @description While the campaign of an earlier run has not ended, or its message was not posted: skip the run, buffer it until then, or allow both. Default: skip
             * @enum {string}
             */
            readonly overlap?: "skip" | "buffer" | "allow";
            /**
             * @description A start that is later than its grace time starts all the same, is skipped, or is held until an operator resumes it. Default: hold; skip for the message of a schedule
             * @enum {string}
             */
            readonly missedStart?: "run" | "skip" | "hold";
            /** @description How late a start may be without being missed. Default: 1h */
            readonly graceTime?: string;
            /** @description Created paused. Default: false */
            readonly paused?: boolean;
            /** @description Why; shown until the next pause or resume */
            readonly note?: string;
        };
        readonly NotificationSummary: {
            readonly instance: string;
            /**
             * Format: date-time
             * @description When the last one came, of all that are kept
             */
            readonly lastAt?: string;
            /** @description In the last 24 hours */
            readonly came: number;
            /** @description How often one of them came again, with the same content */
            readonly repeats: number;
            /** @description By typeWebhook */
            readonly kinds: {
                readonly [key: string]: number;
            };
            /** @description cut, malformed, another_instance, unknown_kind, incomplete */
            readonly oddities: {
                readonly [key: string]: number;
            };
            /** @description Stored, and not applied yet */
            readonly waiting: number;
            /**
             * Format: date-time
             * @description When the oldest of those came
             */
            readonly waitingSince?: string;
            /** @description Of all that are kept, those that could not be applied and were set aside */
            readonly failed: number;
            /** @description The newest of those: when it came, and why it could not be applied */
            readonly lastFailure?: {
                /** Format: date-time */
                readonly at: string;
                readonly problem: string;
            };
            /** @description Messages that changed and whose workflows have not been signalled yet */
            readonly pendingSignals: number;
            /**
             * Format: date-time
             * @description When the oldest of those changed
             */
            readonly pendingSignalsSince?: string;
            readonly quotaExceeded?: {
                /** Format: date-time */
                readonly at: string;
                readonly quota?: unknown;
            };
        };
        readonly Operation: {
            readonly id: string;
            /** @enum {string} */
            readonly method: "createTemplate" | "deleteNotification" | "editMessage" | "forwardMessages" | "getGroupData" | "getIncomingStories" | "getMessage" | "getSettings" | "getStateInstance" | "getTemplateById" | "getTemplates" | "lastOutgoingMessages" | "readChat" | "receiveNotification" | "sendContact" | "sendFileByUrl" | "sendLocation" | "sendMessage" | "sendPoll" | "sendTemplate" | "sendTextStatus" | "sendTyping" | "setSettings" | "showMessagesQueue" | "uploadFile";
            readonly instance?: string;
            /** @enum {string} */
            readonly state: "pending" | "sending" | "done" | "failed" | "may_have_happened";
            /** @description The gateway's response, secret fields removed */
            readonly result?: unknown;
            readonly code?: string;
            /** @description The gateway's own words */
            readonly text?: string;
            /** Format: date-time */
            readonly createdAt?: string;
            /** Format: date-time */
            readonly endedAt?: string;
        };
        readonly OperationRequest: {
            /** @description Name of the configured instance */
            readonly instance: string;
            /** @description The operation's own fields */
            readonly request?: {
                readonly [key: string]: unknown;
            };
        };
        readonly PausedInstance: {
            readonly pause: {
                /** @enum {string} */
                readonly reason: "yellowCard" | "blocked" | "suspended" | "operator";
                /**
                 * Format: date-time
                 * @description When the account was first seen so, or the operator paused it
                 */
                readonly since: string;
                /** @description Who said so: a notification, getStateInstance, or an operator */
                readonly witness: string;
            };
            readonly instance: components["schemas"]["Instance"];
        };
        readonly Payloads: {
            /** @description Temporal's payloads as its JSON writes them: bytes in base64 */
            readonly payloads: readonly {
                readonly metadata?: {
                    readonly [key: string]: string;
                };
                readonly data?: string;
            }[];
        };
        readonly PollContent: {
            /** @constant */
            readonly kind: "poll";
            /** @description The question, at most 255 characters */
            readonly message: string;
            /** @description 2 to 12, no two alike */
            readonly options: readonly {
                readonly optionName: string;
            }[];
            /** @description Whether more than one may be chosen. Default: false */
            readonly multipleAnswers?: boolean;
            readonly quotedMessageId?: string;
            /** @description Milliseconds, 1,000 to 20,000 */
            readonly typingTime?: number;
        };
        /** @description RFC 9457 */
        readonly Problem: {
            readonly type: string;
            readonly title: string;
            readonly status: number;
            /** @description Stable; docs/errors.md describes each one */
            readonly code: string;
            /** @description What failed, why, and what to do */
            readonly detail: string;
            readonly errors?: readonly {
                readonly path: string;
                readonly message: string;
            }[];
            /** @description Of ID_AMBIGUOUS: ids that begin with the given one, at most 5 */
            readonly candidates?: readonly string[];
            readonly retryAfterMs?: number;
        };
        readonly RecurringJob: {
            readonly id: string;
            /** @enum {string} */
            readonly kind: "stories" | "group";
            readonly instance: string;
            readonly groupId?: string;
            readonly everyMs: number;
            /** Format: date-time */
            readonly createdAt: string;
            /**
             * Format: date-time
             * @description When it is due next
             */
            readonly nextAt: string;
            /**
             * Format: date-time
             * @description When it last succeeded
             */
            readonly lastAt?: string;
            /** @description Why its last run did not */
            readonly problem?: string;
        };
        readonly RemoveSuppression: {
            /** @description Phone number as in a file of recipients, or a chat id ending in @c.us, @g.us or @lid */
            readonly to: string;
            /** @description Of numbers written without + or 00. Without it they are taken as international */
            readonly defaultCountry?: string;
            /** @description Only this account's own entries. Default: every entry */
            readonly instance?: string;
        };
        readonly RemovedSuppressions: {
            readonly removed: readonly components["schemas"]["Suppression"][];
            /** @description What still holds, for other accounts or for all */
            readonly left: readonly components["schemas"]["Suppression"][];
        };
        readonly Replay: {
            readonly id: string;
            /** @description Absent: all of them */
            readonly instance?: string;
            /** Format: date-time */
            readonly since: string;
            /** @description How many notifications it applies again */
            readonly total: number;
            readonly done: number;
            /** @description The outcomes of those that are done, this time */
            readonly outcomes: {
                readonly [key: string]: number;
            };
            /** Format: date-time */
            readonly begunAt: string;
            /** Format: date-time */
            readonly endedAt?: string;
        };
        readonly ReplayRequest: {
            /**
             * Format: date-time
             * @description Those that came from then on; ISO 8601
             */
            readonly since: string;
            /** @description Only those of this one */
            readonly instance?: string;
        };
        readonly ReplayedEvents: {
            /** @description How many */
            readonly events: number;
        };
        readonly ReportPage: {
            readonly items: readonly components["schemas"]["ReportRow"][];
            readonly cursor?: string;
        };
        readonly ReportRow: {
            /** @description Of the source */
            readonly line: number;
            /** @description A message like any other: status, edit, cancel and resolve work on it */
            readonly messageId: string;
            readonly chatId: string;
            /** @enum {string} */
            readonly state: "pending" | "sending" | "unknown" | "unresolved" | "accepted" | "sent" | "delivered" | "read" | "rejected" | "failed" | "no_account" | "expired" | "cancelled" | "suppressed";
            /** @description Stable word for why it ended as it did */
            readonly reason?: string;
            /** @description The gateway's own words */
            readonly reasonText?: string;
            /** @description The gateway's id */
            readonly idMessage?: string;
            readonly attempts: number;
            /**
             * Format: date-time
             * @description By our own clock, as are the next three; they never run backwards
             */
            readonly acceptedAt?: string;
            /**
             * Format: date-time
             * @description When the first receipt that implies it came
             */
            readonly sentAt?: string;
            /** Format: date-time */
            readonly deliveredAt?: string;
            /** Format: date-time */
            readonly readAt?: string;
            /** Format: date-time */
            readonly endedAt?: string;
            /** @description The witness of the newest evidence, and what it says */
            readonly evidence?: string;
            /**
             * Format: date-time
             * @description What the gateway says, by its own clock, in whole seconds
             */
            readonly gatewaySentAt?: string;
            /** Format: date-time */
            readonly gatewayDeliveredAt?: string;
            /** Format: date-time */
            readonly gatewayReadAt?: string;
            /** @description Version of the campaign's text that was posted; own: a text of its own */
            readonly sentVersion?: string;
            /** @description Version of the text that the phone is known to show */
            readonly shownVersion?: string;
            /**
             * @description How the newest edit stands
             * @enum {string}
             */
            readonly editOutcome?: "pending" | "sending" | "posted" | "edited" | "too_late" | "refused" | "unconfirmed" | "superseded" | "not_possible";
            /** Format: date-time */
            readonly editedAt?: string;
        };
        readonly ResolveRequest: {
            /**
             * @description not_accepted makes it pending again: look at the phone first
             * @enum {string}
             */
            readonly outcome: "accepted" | "not_accepted";
        };
        readonly Resolved: {
            readonly id: string;
            /** @enum {string} */
            readonly state: "pending" | "sending" | "unknown" | "unresolved" | "accepted" | "sent" | "delivered" | "read" | "rejected" | "failed" | "no_account" | "expired" | "cancelled" | "suppressed";
        };
        readonly ResumedInstance: {
            readonly resumed: readonly {
                /** @enum {string} */
                readonly reason: "yellowCard" | "blocked" | "suspended" | "operator";
                /**
                 * Format: date-time
                 * @description When the account was first seen so, or the operator paused it
                 */
                readonly since: string;
                /** @description Who said so: a notification, getStateInstance, or an operator */
                readonly witness: string;
            }[];
            readonly instance: components["schemas"]["Instance"];
        };
        readonly RetriedRecipients: {
            /** @description How many were taken up */
            readonly recipients: number;
            readonly progress: components["schemas"]["CampaignProgress"];
        };
        readonly RetryCampaign: {
            /** @description States to take up again. `unknown`: determine the outcome of unknown and unresolved ones again */
            readonly scopes: readonly ("failed" | "rejected" | "no_account" | "expired" | "cancelled" | "suppressed" | "unknown")[];
            /** @description Only those that ended for one of these */
            readonly reasons?: readonly string[];
            /** @description Post to unknown and unresolved ones again, though they may have the message. Default: false */
            readonly maySendTwice?: boolean;
            /**
             * Format: date-time
             * @description In place of the campaign's; needed when that has passed
             */
            readonly deadline?: string;
        };
        readonly Schedule: {
            readonly id: string;
            /** @enum {string} */
            readonly state: "active" | "paused";
            readonly note?: string;
            readonly campaign?: components["schemas"]["ScheduledCampaign"];
            readonly recipients?: components["schemas"]["ScheduleRecipients"];
            /** @description In place of campaign and recipients */
            readonly message?: components["schemas"]["ScheduledMessage"];
            /** @description Five fields each: minute, hour, day of month, month, day of week; e.g. 0 9 * * MON */
            readonly cron?: readonly string[];
            readonly calendars?: readonly components["schemas"]["ScheduleCalendar"][];
            /** @description IANA name, e.g. Europe/Lisbon. Default: UTC */
            readonly timezone?: string;
            /** @description Each start is later by a part of this. Default: none */
            readonly jitter?: string;
            /**
             * Format: date-time
             * @description No run before this
             */
            readonly startAt?: string;
            /**
             * Format: date-time
             * @description No run after this
             */
            readonly endAt?: string;
            /**
             * @description While the campaign of an earlier run has not ended, or its message was not posted: skip the run, buffer it until then, or allow both. Default: skip
             * @enum {string}
             */
            readonly overlap?: "skip" | "buffer" | "allow";
            /**
             * @description A start that is later than its grace time starts all the same, is skipped, or is held until an operator resumes it. Default: hold; skip for the message of a schedule
             * @enum {string}
             */
            readonly missedStart?: "run" | "skip" | "hold";
            /** @description How late a start may be without being missed. Default: 1h */
            readonly graceTime?: string;
            /** @description By Temporal; absent while it is paused, or Temporal is away */
            readonly nextRuns?: readonly string[];
            /** @description False while Temporal does not have the last change */
            readonly isSynced: boolean;
            /** @description Why Temporal does not take it */
            readonly problem?: string;
            /** Format: date-time */
            readonly createdAt: string;
        };
        /** @description Each field in cron's notation: 9, 9,17, MON-FRI, *\/15, * */
        readonly ScheduleCalendar: {
            /** @description 0 to 59. Default: 0 */
            readonly minute?: string | number;
            /** @description 0 to 23. Default: 0 */
            readonly hour?: string | number;
            /** @description 1 to 31. Default: * */
            readonly dayOfMonth?: string | number;
            /** @description 1 to 12, or JAN to DEC. Default: * */
            readonly month?: string | number;
            /** @description 0 to 6, or SUN to SAT. Default: * */
            readonly dayOfWeek?: string | number;
            /** @description 2000 to 2100. Default: * */
            readonly year?: string | number;
        };
        readonly ScheduleList: {
            readonly items: readonly components["schemas"]["Schedule"][];
            readonly cursor?: string;
        };
        readonly ScheduleNote: {
            /** @description Why; shown until the next pause or resume */
            readonly note?: string;
        };
        /** @description Where the recipients of each run are read from, at that time */
        readonly ScheduleRecipients: {
            /** @description On the worker's machine, below EVERPOST_SOURCES_DIR */
            readonly file: string;
            /**
             * @description Between the columns of a CSV file. Default: the one that its head is written with
             * @enum {string}
             */
            readonly delimiter?: "," | ";" | "tab" | "|";
        } | {
            /**
             * Format: uri
             * @description Got by the worker at each run; no redirect is followed
             */
            readonly url: string;
            /**
             * @description Between the columns of a CSV file. Default: the one that its head is written with
             * @enum {string}
             */
            readonly delimiter?: "," | ";" | "tab" | "|";
        } | {
            /** @description Its participants at each run */
            readonly group: string;
        } | {
            /** @description Where the worker finds the connection string of a PostgreSQL */
            readonly connection: {
                readonly env: string;
            } | {
                /** @description On the worker's machine, below EVERPOST_SOURCES_DIR */
                readonly file: string;
            };
            /** @description One query; runs read only. Columns as in a file */
            readonly query: string;
        };
        readonly ScheduleRun: {
            /**
             * Format: date-time
             * @description Which occurrence it is
             */
            readonly at: string;
            /** @enum {string} */
            readonly kind: "schedule" | "trigger" | "backfill";
            /**
             * @description pending: its recipients are being read; waiting: for the end of what an earlier run sends
             * @enum {string}
             */
            readonly state: "pending" | "waiting" | "started" | "skipped" | "failed";
            /** @description Its campaign, made from schedule and time */
            readonly campaignId?: string;
            /**
             * @description Absent before the campaign is written
             * @enum {string}
             */
            readonly campaignState?: "draft" | "scheduled" | "running" | "paused" | "cancelling" | "completed" | "completed_with_failures" | "cancelled" | "expired";
            /** @description Its message, made from schedule and time, where it sends no campaign */
            readonly messageId?: string;
            /**
             * @description Absent before the message is written
             * @enum {string}
             */
            readonly messageState?: "pending" | "sending" | "unknown" | "unresolved" | "accepted" | "sent" | "delivered" | "read" | "rejected" | "failed" | "no_account" | "expired" | "cancelled" | "suppressed";
            /**
             * Format: date-time
             * @description When its campaign or message starts: the time with its jitter
             */
            readonly startAt: string;
            /**
             * Format: date-time
             * @description When its start was found to be later than the grace time
             */
            readonly startMissedAt?: string;
            /** @description Why it was skipped or failed, or what its last try failed of */
            readonly reason?: string;
            readonly text?: string;
            /** @description How often it failed */
            readonly tries: number;
            /** Format: date-time */
            readonly createdAt: string;
            /** Format: date-time */
            readonly endedAt?: string;
        };
        readonly ScheduleWithRuns: {
            readonly id: string;
            /** @enum {string} */
            readonly state: "active" | "paused";
            readonly note?: string;
            readonly campaign?: components["schemas"]["ScheduledCampaign"];
            readonly recipients?: components["schemas"]["ScheduleRecipients"];
            /** @description In place of campaign and recipients */
            readonly message?: components["schemas"]["ScheduledMessage"];
            /** @description Five fields each: minute, hour, day of month, month, day of week; e.g. 0 9 * * MON */
            readonly cron?: readonly string[];
            readonly calendars?: readonly components["schemas"]["ScheduleCalendar"][];
            /** @description IANA name, e.g. Europe/Lisbon. Default: UTC */
            readonly timezone?: string;
            /** @description Each start is later by a part of this. Default: none */
            readonly jitter?: string;
            /**
             * Format: date-time
             * @description No run before this
             */
            readonly startAt?: string;
            /**
             * Format: date-time
             * @description No run after this
             */
            readonly endAt?: string;
            /**
             * @description While the campaign of an earlier run has not ended, or its message was not posted: skip the run, buffer it until then, or allow both. Default: skip
             * @enum {string}
             */
            readonly overlap?: "skip" | "buffer" | "allow";
            /**
             * @description A start that is later than its grace time starts all the same, is skipped, or is held until an operator resumes it. Default: hold; skip for the message of a schedule
             * @enum {string}
             */
            readonly missedStart?: "run" | "skip" | "hold";
            /** @description How late a start may be without being missed. Default: 1h */
            readonly graceTime?: string;
            /** @description By Temporal; absent while it is paused, or Temporal is away */
            readonly nextRuns?: readonly string[];
            /** @description False while Temporal does not have the last change */
            readonly isSynced: boolean;
            /** @description Why Temporal does not take it */
            readonly problem?: string;
            /** Format: date-time */
            readonly createdAt: string;
            /** @description The latest first, at most 20 */
            readonly runs: readonly components["schemas"]["ScheduleRun"][];
        };
        /** @description What each run sends: a campaign without its times */
        readonly ScheduledCampaign: {
            /** @description Shown in lists, reports and the Web UI of Temporal; at most 200 characters on one line */
            readonly name?: string;
            /** @description Name of the configured instance */
            readonly instance: string;
            readonly content: components["schemas"]["ContentTemplate"];
            /**
             * @description Default: normal
             * @enum {string}
             */
            readonly priority?: "urgent" | "high" | "normal" | "low";
            /**
             * @description Default: marketing
             * @enum {string}
             */
            readonly category?: "transactional" | "marketing";
            /**
             * @description What to do when it is unknown whether the gateway took a message. Default: manual
             * @enum {string}
             */
            readonly onUnknown?: "manual" | "auto";
            /** @description The campaign fills the gateway's queue up to this many items, whatever their source. Default: by priority */
            readonly highWater?: number;
            /** @description Of numbers written without + or 00. Without it they are taken as international */
            readonly defaultCountry?: string;
            readonly autoPause?: components["schemas"]["AutoPause"];
            /** @description When it sends. Default: whenever its instance does */
            readonly sendingWindows?: components["schemas"]["SendingWindows"];
            readonly limits?: components["schemas"]["CampaignLimits"];
            /** @description How long typing is shown in the chat before each message, 1s to 20s. Default: not */
            readonly typing?: string;
            /** @description Of recipients without one, where `sendingWindows` go by their clocks. Without it they are rejected */
            readonly defaultTimezone?: string;
            /** @description Your own words for it, shown back */
            readonly reference?: string;
        };
        /** @description What each run sends: one message without its times */
        readonly ScheduledMessage: {
            /** @description Name of the configured instance */
            readonly instance: string;
            /** @description Phone number in international form, or a chat id ending in @c.us, @g.us or @lid */
            readonly to?: string;
            readonly content: components["schemas"]["TextContent"] | components["schemas"]["FileContent"] | components["schemas"]["StatusContent"] | components["schemas"]["PollContent"] | components["schemas"]["LocationContent"] | components["schemas"]["ContactContent"] | components["schemas"]["ForwardContent"] | components["schemas"]["TemplateContent"];
            /** @description How long typing is shown in the chat before it is posted, 1s to 20s. Default: not */
            readonly typing?: string;
            /**
             * @description Default: normal
             * @enum {string}
             */
            readonly priority?: "urgent" | "high" | "normal" | "low";
            /**
             * @description Default: transactional
             * @enum {string}
             */
            readonly category?: "transactional" | "marketing";
            /**
             * @description What to do when it is unknown whether the gateway took it. Default: manual
             * @enum {string}
             */
            readonly onUnknown?: "manual" | "auto";
            /** @description Your own words for it, shown back */
            readonly reference?: string;
            /**
             * Format: uri
             * @description URL to which every change of state is posted
             */
            readonly statusCallback?: string;
            /** @description Never posted later than this after its time. Default: 24h */
            readonly expiresIn?: string;
        };
        readonly SecretRotation: {
            /** @description How long the former secret signs too. Default: 24h */
            readonly keepFormerFor?: string;
        };
        readonly SendRequest: {
            /** @description Name of the configured instance */
            readonly instance: string;
            /** @description Phone number in international form, or a chat id ending in @c.us, @g.us or @lid */
            readonly to?: string;
            readonly content: components["schemas"]["TextContent"] | components["schemas"]["FileContent"] | components["schemas"]["StatusContent"] | components["schemas"]["PollContent"] | components["schemas"]["LocationContent"] | components["schemas"]["ContactContent"] | components["schemas"]["ForwardContent"] | components["schemas"]["TemplateContent"];
            /**
             * Format: date-time
             * @description Not posted before this. Default: at once
             */
            readonly sendAt?: string;
            /**
             * Format: date-time
             * @description Never posted after this. Default: 24 hours after the request, or after sendAt
             */
            readonly expiresAt?: string;
            /** @description How long typing is shown in the chat before it is posted, 1s to 20s. Default: not */
            readonly typing?: string;
            /**
             * @description Default: normal
             * @enum {string}
             */
            readonly priority?: "urgent" | "high" | "normal" | "low";
            /**
             * @description Default: transactional
             * @enum {string}
             */
            readonly category?: "transactional" | "marketing";
            /**
             * @description What to do when it is unknown whether the gateway took it. Default: manual
             * @enum {string}
             */
            readonly onUnknown?: "manual" | "auto";
            /** @description Your own words for it, shown back */
            readonly reference?: string;
            /**
             * Format: uri
             * @description URL to which every change of state is posted
             */
            readonly statusCallback?: string;
        };
        readonly SendingWindows: {
            /** @description IANA name, e.g. Europe/Lisbon; or `recipient`: the clock of each recipient */
            readonly timezone: "recipient" | string;
            readonly windows: readonly components["schemas"]["DailyWindow"][];
            /** @description Whole dates on which nothing is open */
            readonly holidays?: readonly string[];
        };
        readonly SetTemplateReview: {
            /** @description APPROVED, REJECTED, FAILED, PAUSED, PENDING, or a newer word */
            readonly status: string;
            readonly reason?: string;
            /** @description The gateway's id, where it could not be read */
            readonly templateId?: string;
        };
        /** @description A message that is not in the ledger yet */
        readonly StartedMessage: {
            readonly id: string;
            /** @enum {string} */
            readonly state: "pending" | "sending" | "unknown" | "unresolved" | "accepted" | "sent" | "delivered" | "read" | "rejected" | "failed" | "no_account" | "expired" | "cancelled" | "suppressed";
            readonly instance?: string;
            readonly kind?: string;
            readonly reason?: string;
            /** Format: date-time */
            readonly createdAt: string;
            readonly evidence: readonly unknown[];
            readonly attempts: readonly unknown[];
            readonly edits: readonly unknown[];
        };
        /** @description Beta: access to statuses is granted on request */
        readonly StatusContent: {
            /** @constant */
            readonly kind: "status";
            /** @description At most 500 characters */
            readonly text: string;
            /** @description Hex colour, not white */
            readonly backgroundColor?: string;
            /** @enum {string} */
            readonly font?: "SERIF" | "SANS_SERIF" | "NORICAN_REGULAR" | "BRYNDAN_WRITE" | "OSWALD_HEAVY";
            /** @description Contacts who may see it; empty: all */
            readonly participants?: readonly string[];
        };
        readonly StoredFile: {
            readonly fileId: string;
            readonly sha256: string;
            readonly contentType: string;
            readonly sizeBytes: number;
            /**
             * Format: date-time
             * @description Kept until then, and 30 days longer than any message that names it
             */
            readonly expiresAt: string;
        };
        readonly Story: {
            readonly instance: string;
            readonly idMessage: string;
            /**
             * Format: date-time
             * @description By the gateway's clock
             */
            readonly at: string;
            /** Format: date-time */
            readonly seenAt: string;
            /** @description As getIncomingStories gave it */
            readonly story: {
                readonly [key: string]: unknown;
            };
        };
        readonly StoryList: {
            readonly items: readonly components["schemas"]["Story"][];
            readonly cursor?: string;
        };
        readonly SubmitTemplate: {
            /** @description Name of the configured instance */
            readonly instance: string;
            readonly template: components["schemas"]["TemplateDefinition"];
        };
        readonly Suppression: {
            readonly id: string;
            readonly chatId: string;
            /** @description The one account that it is about; absent: every account */
            readonly instance?: string;
            /**
             * @description all: transactional messages are kept back too
             * @enum {string}
             */
            readonly scope: "marketing" | "all";
            /** @enum {string} */
            readonly source: "stop_word" | "operator" | "import";
            /**
             * Format: date-time
             * @description Of a word, when the gateway received it
             */
            readonly since: string;
            /** Format: date-time */
            readonly recordedAt: string;
            /** @description As the addressee wrote it */
            readonly word?: string;
            /** @description The gateway's id of the message with the word */
            readonly idMessage?: string;
            readonly note?: string;
            /**
             * Format: date-time
             * @description Present once it holds no longer
             */
            readonly removedAt?: string;
            /** @enum {string} */
            readonly removedBy?: "start_word" | "operator";
            readonly removedWord?: string;
            readonly removedIdMessage?: string;
            /**
             * Format: date-time
             * @description The addressee has said START since, which does not remove what an operator or a file put there
             */
            readonly startWordAt?: string;
        };
        readonly SuppressionList: {
            readonly items: readonly components["schemas"]["Suppression"][];
            readonly cursor?: string;
        };
        readonly Template: {
            readonly instance: string;
            readonly elementName: string;
            /**
             * @description How far the submission is; unknown: its response was lost
             * @enum {string}
             */
            readonly state: "pending" | "sending" | "unknown" | "submitted" | "refused";
            /** @description The review's word: PENDING, APPROVED, REJECTED, FAILED, PAUSED, or a newer one */
            readonly status?: string;
            /** Format: date-time */
            readonly statusSince?: string;
            /** @description Why it was refused, rejected, or failed */
            readonly reason?: string;
            /** @description The gateway's id */
            readonly templateId?: string;
            readonly version: number;
            readonly definition: {
                readonly [key: string]: unknown;
            };
            /** Format: date-time */
            readonly createdAt: string;
            /** Format: date-time */
            readonly submittedAt?: string;
            /**
             * Format: date-time
             * @description When the gateway was asked last
             */
            readonly checkedAt?: string;
            /** Format: date-time */
            readonly nextCheckAt?: string;
            /** @description Why the last poll said nothing; see docs/errors.md */
            readonly checkCode?: string;
            readonly checkText?: string;
            /**
             * Format: date-time
             * @description Polling has stopped, although nothing was decided; submit it again to go on
             */
            readonly unwatchedSince?: string;
            readonly changes: readonly {
                /** Format: date-time */
                readonly at: string;
                readonly witness: string;
                readonly what: string;
                readonly status?: string;
                readonly reason?: string;
                readonly detail?: unknown;
            }[];
            /** @description Of the submission */
            readonly warnings?: readonly components["schemas"]["TemplateFinding"][];
        };
        /** @description Waits until the template is approved */
        readonly TemplateContent: {
            /** @constant */
            readonly kind: "template";
            /** @description Name of a template that was submitted through everpost */
            readonly elementName?: string;
            /** @description The gateway's id, also of a template made elsewhere */
            readonly templateId?: string;
            /** @description Values for the variables of its body, in their order */
            readonly params?: readonly string[];
        };
        /** @description createTemplate's fields under the gateway's own names: see operation.createTemplate */
        readonly TemplateDefinition: {
            readonly [key: string]: unknown;
        };
        readonly TemplateFinding: {
            /** @description As a reader would write it, e.g. buttons[0].text */
            readonly path: string;
            readonly message: string;
            /** @description What the rule allows */
            readonly limit?: number | string;
            /** @description What the template has */
            readonly found?: unknown;
        };
        readonly TemplateList: {
            readonly items: readonly components["schemas"]["TemplateListItem"][];
            readonly cursor?: string;
        };
        readonly TemplateListItem: {
            readonly instance: string;
            readonly elementName: string;
            /**
             * @description How far the submission is; unknown: its response was lost
             * @enum {string}
             */
            readonly state: "pending" | "sending" | "unknown" | "submitted" | "refused";
            /** @description The review's word: PENDING, APPROVED, REJECTED, FAILED, PAUSED, or a newer one */
            readonly status?: string;
            /** Format: date-time */
            readonly statusSince?: string;
            /** @description Why it was refused, rejected, or failed */
            readonly reason?: string;
            /** @description The gateway's id */
            readonly templateId?: string;
            readonly version: number;
            readonly definition: {
                readonly [key: string]: unknown;
            };
            /** Format: date-time */
            readonly createdAt: string;
            /** Format: date-time */
            readonly submittedAt?: string;
            /**
             * Format: date-time
             * @description When the gateway was asked last
             */
            readonly checkedAt?: string;
            /** Format: date-time */
            readonly nextCheckAt?: string;
            /** @description Why the last poll said nothing; see docs/errors.md */
            readonly checkCode?: string;
            readonly checkText?: string;
            /**
             * Format: date-time
             * @description Polling has stopped, although nothing was decided; submit it again to go on
             */
            readonly unwatchedSince?: string;
        };
        readonly TemplateValidation: {
            /** @description No errors; warnings do not count */
            readonly ok: boolean;
            readonly errors: readonly components["schemas"]["TemplateFinding"][];
            readonly warnings: readonly components["schemas"]["TemplateFinding"][];
        };
        readonly TestSend: {
            /** @description One's own number */
            readonly to: string;
            /** @description Of the recipients' file: whose message it is */
            readonly line: number;
        };
        readonly TextContent: {
            /** @constant */
            readonly kind: "text";
            /** @description At most 20,000 characters, no byte order mark */
            readonly text: string;
            readonly quotedMessageId?: string;
            readonly linkPreview?: boolean;
            /** @description Milliseconds, 1,000 to 20,000 */
            readonly typingTime?: number;
        };
        readonly UpdateCampaign: {
            /** @description The campaign fills the gateway's queue up to this many items, whatever their source. Default: by priority */
            readonly highWater?: number;
            /** @description For every recipient who was not posted to yet, but those whose own message was edited. Of the same kind */
            readonly content?: components["schemas"]["ContentTemplate"];
            /**
             * Format: date-time
             * @description No recipient is posted to after this
             */
            readonly deadline?: string;
            /** @description Shown in lists, reports and the Web UI of Temporal; at most 200 characters on one line */
            readonly name?: string;
            /**
             * Format: date-time
             * @description Of a campaign that has not begun: nothing is posted before this
             */
            readonly startAt?: string;
            /** @description null: whenever its instance sends */
            readonly sendingWindows?: components["schemas"]["SendingWindows"] | null;
            /** @description null: none */
            readonly limits?: components["schemas"]["CampaignLimits"] | null;
        };
        readonly ValidateTemplate: {
            readonly template: components["schemas"]["TemplateDefinition"];
        };
        /** @description Create a message template for review. Its name is unique in the account. (once) */
        readonly "operation.createTemplate": {
            /** @description Name, unique in the account: lowercase letters, digits, underscores */
            readonly elementName: string;
            /** @enum {string} */
            readonly languageCode: "af" | "sq" | "ar" | "az" | "bn" | "bg" | "ca" | "zh_CN" | "zh_HK" | "zh_TW" | "hr" | "cs" | "da" | "nl" | "en" | "en_GB" | "en_US" | "et" | "fil" | "fi" | "fr" | "ka" | "de" | "el" | "gu" | "ha" | "he" | "hi" | "hu" | "id" | "ga" | "it" | "ja" | "kn" | "kk" | "rw_RW" | "ko" | "ky_KG" | "lo" | "lv" | "lt" | "mk" | "ms" | "ml" | "mr" | "nb" | "fa" | "pl" | "pt_BR" | "pt_PT" | "pa" | "ro" | "ru" | "sr" | "sk" | "sl" | "es" | "es_AR" | "es_ES" | "es_MX" | "sw" | "sv" | "ta" | "te" | "th" | "tr" | "uk" | "ur" | "uz" | "vi" | "zu";
            /** @enum {string} */
            readonly category: "AUTHENTICATION" | "MARKETING" | "UTILITY";
            /** @enum {string} */
            readonly templateType: "TEXT" | "IMAGE" | "VIDEO" | "DOCUMENT";
            /** @description Short description for the review, at most 180 characters */
            readonly vertical: string;
            /** @description Body, at most 550 characters and 10 emoji; required except for AUTHENTICATION */
            readonly content?: string;
            /** @description For templateType TEXT, at most 60 characters */
            readonly header?: string;
            /** @description Sample of the header, lowercase; required with header */
            readonly exampleHeader?: string;
            /** @description At most 60 characters */
            readonly footer?: string;
            /** @description AUTHENTICATION needs at least one OTP button */
            readonly buttons?: readonly {
                /** @enum {string} */
                readonly type: "QUICK_REPLY" | "URL" | "PHONE_NUMBER" | "OTP";
                /** @description At most 25 characters for QUICK_REPLY and URL, 20 for PHONE_NUMBER */
                readonly text: string;
                /** @description For PHONE_NUMBER */
                readonly phone_number?: string;
                /** @description For URL */
                readonly url?: string;
                /** @description For URL: sample links */
                readonly example?: readonly string[];
                /** @description For OTP: COPY_CODE */
                readonly otp_type?: string;
            }[];
            /** @description Content with sample values for its variables; required except for AUTHENTICATION */
            readonly example?: string;
            /** @description Required for every type; true if absent */
            readonly enableSample?: boolean;
            /**
             * @deprecated
             * @description Deprecated: the gateway ignores it, and everpost does not send it
             */
            readonly allowTemplateCategoryChange?: boolean;
            /** @description AUTHENTICATION: adds advice not to share the code */
            readonly addSecurityRecommendation?: boolean;
            /** @description AUTHENTICATION: minutes, 1 to 90 */
            readonly codeExpirationMinutes?: number;
            /** @description Sample media for IMAGE, VIDEO and DOCUMENT */
            readonly mediaUrl?: string;
        };
        /** @description Delete a fetched notification. The response is false if it does not exist any more. (repeatable) */
        readonly "operation.deleteNotification": {
            /** @description As receiveNotification answered it */
            readonly receiptId: number;
        };
        /** @description Edit the text of a message sent through the API, within 15 minutes of sending. A later edit also gets a 200, and a notification then refuses it. (repeatable) */
        readonly "operation.editMessage": {
            /** @description Chat id: <number>@c.us, <group_id>@g.us (a hyphen is allowed) or <digits>@lid */
            readonly chatId: string;
            /** @description Id of the message to edit */
            readonly idMessage: string;
            /** @description New text, at most 20000 characters */
            readonly message: string;
        };
        /** @description Forward a message that the service knows to a personal or group chat, one message per request. (send) */
        readonly "operation.forwardMessages": {
            /** @description Chat id: <number>@c.us, <group_id>@g.us (a hyphen is allowed) or <digits>@lid */
            readonly chatId: string;
            /** @description Chat in which the message is */
            readonly chatIdFrom: string;
            /** @description Id of the message to forward: exactly one */
            readonly messages: readonly string[];
            /** @description Typing notification, milliseconds, 1000 to 20000 */
            readonly typingTime?: number;
        };
        /** @description Read the data of a group chat. The invitation link is empty unless the account administers the group. (repeatable) */
        readonly "operation.getGroupData": {
            /** @description Group chat id: <group_id>@g.us */
            readonly groupId: string;
        };
        /** @description List incoming story messages. (repeatable) */
        readonly "operation.getIncomingStories": {
            /** @description How far back, minutes; the gateway assumes 1440 */
            readonly minutes?: number;
        };
        /** @description Read one message of a chat, with its status and whether it was edited. (repeatable) */
        readonly "operation.getMessage": {
            /** @description Chat id: <number>@c.us, <group_id>@g.us (a hyphen is allowed) or <digits>@lid */
            readonly chatId: string;
            /** @description Message id, opaque */
            readonly idMessage: string;
        };
        /** @description Read the settings of the instance. (repeatable) */
        readonly "operation.getSettings": Record<string, never>;
        /** @description Read the state of the account: authorized, notAuthorized, blocked, sleepMode, starting, yellowCard, or a newer state. (repeatable) */
        readonly "operation.getStateInstance": Record<string, never>;
        /** @description Read one template by its id, with the status of its review. (repeatable) */
        readonly "operation.getTemplateById": {
            /** @description The template's id, opaque */
            readonly templateId: string;
        };
        /** @description List all templates of the account with the status of their reviews. (repeatable) */
        readonly "operation.getTemplates": Record<string, never>;
        /** @description List recently sent messages, newest first. A missing message may still have been sent. (repeatable) */
        readonly "operation.lastOutgoingMessages": {
            /** @description How far back, minutes; the gateway assumes 1440 */
            readonly minutes?: number;
        };
        /** @description Mark one incoming message, or all unread ones of a chat, as read. Works only for messages that came while notifications of incoming messages were on. (repeatable) */
        readonly "operation.readChat": {
            /** @description Chat id: <number>@c.us, <group_id>@g.us, <digits>@lid, or the digits alone */
            readonly chatId: string;
            /** @description Incoming message to mark; absent: all unread messages of the chat */
            readonly idMessage?: string;
        };
        /** @description Fetch the oldest notification. It is repeated until it is deleted. Needs an empty webhookUrl. (repeatable) */
        readonly "operation.receiveNotification": {
            /** @description How long to wait for a notification, in seconds; 5 by default */
            readonly receiveTimeout?: number;
        };
        /** @description Send a contact card to a personal or group chat. (send) */
        readonly "operation.sendContact": {
            /** @description Chat id: <number>@c.us, <group_id>@g.us (a hyphen is allowed) or <digits>@lid */
            readonly chatId: string;
            readonly contact: {
                /** @description International number without +, its digits as a number */
                readonly phoneContact: number;
                readonly firstName?: string;
                readonly middleName?: string;
                readonly lastName?: string;
                readonly company?: string;
            };
            /** @description Id of a message in the same chat to quote */
            readonly quotedMessageId?: string;
        };
        /** @description Send a file of at most 100 MB from a link, one file per request. (send) */
        readonly "operation.sendFileByUrl": {
            /** @description Chat id: <number>@c.us, <group_id>@g.us (a hyphen is allowed) or <digits>@lid */
            readonly chatId: string;
            /** @description Link to the file, unencoded; starts with http:// or https:// */
            readonly urlFile: string;
            /** @description File name with extension; the extension decides how it is sent */
            readonly fileName: string;
            /** @description Caption, at most 20000 characters */
            readonly caption?: string;
            /** @description Id of a message in the same chat to quote */
            readonly quotedMessageId?: string;
            /** @description Typing notification, seconds (not milliseconds as elsewhere), 1 to 20; the gateway assumes 1 */
            readonly typingTime?: number;
            /**
             * @description recording: show recording audio instead of typing
             * @constant
             */
            readonly typingType?: "recording";
        };
        /** @description Send a place on the map to a personal or group chat. (send) */
        readonly "operation.sendLocation": {
            /** @description Chat id: <number>@c.us, <group_id>@g.us (a hyphen is allowed) or <digits>@lid */
            readonly chatId: string;
            /** @description Degrees, -90 to 90 */
            readonly latitude: number;
            /** @description Degrees, -180 to 180 */
            readonly longitude: number;
            /** @description Name of the place */
            readonly nameLocation?: string;
            /** @description Address of the place */
            readonly address?: string;
            /** @description Id of a message in the same chat to quote */
            readonly quotedMessageId?: string;
        };
        /** @description Send a text to a personal or group chat. (send) */
        readonly "operation.sendMessage": {
            /** @description Chat id: <number>@c.us, <group_id>@g.us (a hyphen is allowed) or <digits>@lid */
            readonly chatId: string;
            /** @description Text, at most 20000 characters */
            readonly message: string;
            /** @description Id of a message in the same chat to quote */
            readonly quotedMessageId?: string;
            /** @description Show a preview of a link in the text; the gateway assumes true */
            readonly linkPreview?: boolean;
            /**
             * @description Size of the link preview
             * @enum {string}
             */
            readonly typePreview?: "large" | "small";
            /** @description A custom preview */
            readonly customPreview?: {
                readonly title: string;
                readonly description?: string;
                readonly link?: string;
                readonly urlFile?: string;
                readonly jpegThumbnail?: string;
            };
            /** @description Typing notification, milliseconds, 1000 to 20000 */
            readonly typingTime?: number;
        };
        /** @description Send a poll to a personal or group chat. (send) */
        readonly "operation.sendPoll": {
            /** @description Chat id: <number>@c.us, <group_id>@g.us (a hyphen is allowed) or <digits>@lid */
            readonly chatId: string;
            /** @description The question, at most 255 characters */
            readonly message: string;
            /** @description 2 to 12 different options */
            readonly options: readonly {
                readonly optionName: string;
            }[];
            /** @description More than one may be chosen; the gateway assumes false */
            readonly multipleAnswers?: boolean;
            /** @description Id of a message in the same chat to quote */
            readonly quotedMessageId?: string;
            /** @description Typing notification, milliseconds, 1000 to 20000 */
            readonly typingTime?: number;
        };
        /** @description Send an approved template to a chat. (send) */
        readonly "operation.sendTemplate": {
            /** @description Chat id: <number>@c.us, <group_id>@g.us (a hyphen is allowed) or <digits>@lid */
            readonly chatId: string;
            /** @description The template's id, opaque */
            readonly templateId: string;
            /** @description Values for its variables, in their order */
            readonly params?: readonly string[];
        };
        /** @description Beta: publish a text status. Access is granted to an account on request; without it the response is 403. (send, beta) */
        readonly "operation.sendTextStatus": {
            /** @description Text, at most 500 characters */
            readonly message: string;
            /** @description Hex color #RRGGBB or #RGB, not white; the gateway assumes #000000 */
            readonly backgroundColor?: string;
            /** @enum {string} */
            readonly font?: "SERIF" | "SANS_SERIF" | "NORICAN_REGULAR" | "BRYNDAN_WRITE" | "OSWALD_HEAVY";
            /** @description Contacts who may see it; an empty list means all contacts, unknown numbers are skipped */
            readonly participants?: readonly string[];
        };
        /** @description Beta: show "typing" or "recording audio" in a chat. Its behaviour may change. (once, beta) */
        readonly "operation.sendTyping": {
            /** @description Chat id: <number>@c.us, <group_id>@g.us (a hyphen is allowed) or <digits>@lid */
            readonly chatId: string;
            /** @description Milliseconds, 1000 to 20000 */
            readonly typingTime?: number;
            /**
             * @description recording: show recording audio instead of typing
             * @constant
             */
            readonly typingType?: "recording";
        };
        /** @description Change settings of the instance. The instance restarts, and a change may take five minutes to apply. (once) */
        readonly "operation.setSettings": {
            /** @description Release interval of the queue in milliseconds, 500 to 600000 */
            readonly delaySendMessagesMilliseconds?: number;
            /** @description Where notifications go; empty: nowhere */
            readonly webhookUrl?: "" | string;
            /** @description Sent in the Authorization header of each notification */
            readonly webhookUrlToken?: string;
            /** @enum {string} */
            readonly outgoingWebhook?: "yes" | "no";
            /** @enum {string} */
            readonly outgoingAPIMessageWebhook?: "yes" | "no";
            /** @enum {string} */
            readonly outgoingMessageWebhook?: "yes" | "no";
            /** @enum {string} */
            readonly incomingWebhook?: "yes" | "no";
            /** @enum {string} */
            readonly stateWebhook?: "yes" | "no";
            /** @enum {string} */
            readonly statusInstanceWebhook?: "yes" | "no";
            /** @enum {string} */
            readonly deviceWebhook?: "yes" | "no";
            /** @enum {string} */
            readonly pollMessageWebhook?: "yes" | "no";
            /** @enum {string} */
            readonly incomingCallWebhook?: "yes" | "no";
            /** @enum {string} */
            readonly incomingBlockWebhook?: "yes" | "no";
            /** @enum {string} */
            readonly editedMessageWebhook?: "yes" | "no";
            /** @enum {string} */
            readonly deletedMessageWebhook?: "yes" | "no";
            /** @enum {string} */
            readonly incomingMessageStatusWebhook?: "yes" | "no";
            /** @enum {string} */
            readonly markIncomingMessagesReaded?: "yes" | "no";
            /** @enum {string} */
            readonly markIncomingMessagesReadedOnReply?: "yes" | "no";
            /** @enum {string} */
            readonly keepOnlineStatus?: "yes" | "no";
            readonly autoTyping?: number;
            readonly linkPreview?: boolean;
            readonly enableLidMode?: boolean;
        };
        /** @description List the items waiting in the send queue, oldest first. Statuses, typing notifications and templates are not listed. (repeatable) */
        readonly "operation.showMessagesQueue": Record<string, never>;
        /** @description Upload a file and get a link for sendFileByUrl, valid for 15 days. Nothing is sent. (repeatable) */
        readonly "operation.uploadFile": {
            /** @description File name with extension */
            readonly fileName: string;
            /** @description E.g. image/jpeg */
            readonly contentType: string;
            /** @description The file, at most 100 MB */
            readonly content: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type AddSuppression = components['schemas']['AddSuppression'];
export type AmendCampaign = components['schemas']['AmendCampaign'];
export type Amendment = components['schemas']['Amendment'];
export type AmendmentList = components['schemas']['AmendmentList'];
export type AmendmentPlan = components['schemas']['AmendmentPlan'];
export type ApiKey = components['schemas']['ApiKey'];
export type ApiKeyRotation = components['schemas']['ApiKeyRotation'];
export type Attempt = components['schemas']['Attempt'];
export type Audience = components['schemas']['Audience'];
export type AuditEntry = components['schemas']['AuditEntry'];
export type AuditList = components['schemas']['AuditList'];
export type AutoPause = components['schemas']['AutoPause'];
export type BackfillSchedule = components['schemas']['BackfillSchedule'];
export type BegunMessage = components['schemas']['BegunMessage'];
export type Campaign = components['schemas']['Campaign'];
export type CampaignDefinition = components['schemas']['CampaignDefinition'];
export type CampaignLimits = components['schemas']['CampaignLimits'];
export type CampaignList = components['schemas']['CampaignList'];
export type CampaignPlan = components['schemas']['CampaignPlan'];
export type CampaignProgress = components['schemas']['CampaignProgress'];
export type CampaignResponse = components['schemas']['CampaignResponse'];
export type Cancellation = components['schemas']['Cancellation'];
export type ContactContent = components['schemas']['ContactContent'];
export type ContentTemplate = components['schemas']['ContentTemplate'];
export type DailyWindow = components['schemas']['DailyWindow'];
export type Edit = components['schemas']['Edit'];
export type EditRequest = components['schemas']['EditRequest'];
export type Erasure = components['schemas']['Erasure'];
export type Event = components['schemas']['Event'];
export type EventDelivery = components['schemas']['EventDelivery'];
export type EventEndpoint = components['schemas']['EventEndpoint'];
export type EventEndpointChange = components['schemas']['EventEndpointChange'];
export type EventEndpointWithSecret = components['schemas']['EventEndpointWithSecret'];
export type EventList = components['schemas']['EventList'];
export type EventReplay = components['schemas']['EventReplay'];
export type EventWithDeliveries = components['schemas']['EventWithDeliveries'];
export type FileContent = components['schemas']['FileContent'];
export type ForwardContent = components['schemas']['ForwardContent'];
export type GivenPayloads = components['schemas']['GivenPayloads'];
export type GroupRecipients = components['schemas']['GroupRecipients'];
export type GroupSnapshot = components['schemas']['GroupSnapshot'];
export type GroupSnapshotList = components['schemas']['GroupSnapshotList'];
export type Health = components['schemas']['Health'];
export type Imported = components['schemas']['Imported'];
export type ImportedSuppressions = components['schemas']['ImportedSuppressions'];
export type Instance = components['schemas']['Instance'];
export type IssuedApiKey = components['schemas']['IssuedApiKey'];
export type LocationContent = components['schemas']['LocationContent'];
export type Message = components['schemas']['Message'];
export type MessageEdit = components['schemas']['MessageEdit'];
export type MessageList = components['schemas']['MessageList'];
export type MessageListItem = components['schemas']['MessageListItem'];
export type NewApiKey = components['schemas']['NewApiKey'];
export type NewCampaign = components['schemas']['NewCampaign'];
export type NewErasure = components['schemas']['NewErasure'];
export type NewEventEndpoint = components['schemas']['NewEventEndpoint'];
export type NewRecurringJob = components['schemas']['NewRecurringJob'];
export type NewSchedule = components['schemas']['NewSchedule'];
export type NotificationSummary = components['schemas']['NotificationSummary'];
export type Operation = components['schemas']['Operation'];
export type OperationRequest = components['schemas']['OperationRequest'];
export type PausedInstance = components['schemas']['PausedInstance'];
export type Payloads = components['schemas']['Payloads'];
export type PollContent = components['schemas']['PollContent'];
export type Problem = components['schemas']['Problem'];
export type RecurringJob = components['schemas']['RecurringJob'];
export type RemoveSuppression = components['schemas']['RemoveSuppression'];
export type RemovedSuppressions = components['schemas']['RemovedSuppressions'];
export type Replay = components['schemas']['Replay'];
export type ReplayRequest = components['schemas']['ReplayRequest'];
export type ReplayedEvents = components['schemas']['ReplayedEvents'];
export type ReportPage = components['schemas']['ReportPage'];
export type ReportRow = components['schemas']['ReportRow'];
export type ResolveRequest = components['schemas']['ResolveRequest'];
export type Resolved = components['schemas']['Resolved'];
export type ResumedInstance = components['schemas']['ResumedInstance'];
export type RetriedRecipients = components['schemas']['RetriedRecipients'];
export type RetryCampaign = components['schemas']['RetryCampaign'];
export type Schedule = components['schemas']['Schedule'];
export type ScheduleCalendar = components['schemas']['ScheduleCalendar'];
export type ScheduleList = components['schemas']['ScheduleList'];
export type ScheduleNote = components['schemas']['ScheduleNote'];
export type ScheduleRecipients = components['schemas']['ScheduleRecipients'];
export type ScheduleRun = components['schemas']['ScheduleRun'];
export type ScheduleWithRuns = components['schemas']['ScheduleWithRuns'];
export type ScheduledCampaign = components['schemas']['ScheduledCampaign'];
export type ScheduledMessage = components['schemas']['ScheduledMessage'];
export type SecretRotation = components['schemas']['SecretRotation'];
export type SendRequest = components['schemas']['SendRequest'];
export type SendingWindows = components['schemas']['SendingWindows'];
export type SetTemplateReview = components['schemas']['SetTemplateReview'];
export type StartedMessage = components['schemas']['StartedMessage'];
export type StatusContent = components['schemas']['StatusContent'];
export type StoredFile = components['schemas']['StoredFile'];
export type Story = components['schemas']['Story'];
export type StoryList = components['schemas']['StoryList'];
export type SubmitTemplate = components['schemas']['SubmitTemplate'];
export type Suppression = components['schemas']['Suppression'];
export type SuppressionList = components['schemas']['SuppressionList'];
export type Template = components['schemas']['Template'];
export type TemplateContent = components['schemas']['TemplateContent'];
export type TemplateDefinition = components['schemas']['TemplateDefinition'];
export type TemplateFinding = components['schemas']['TemplateFinding'];
export type TemplateList = components['schemas']['TemplateList'];
export type TemplateListItem = components['schemas']['TemplateListItem'];
export type TemplateValidation = components['schemas']['TemplateValidation'];
export type TestSend = components['schemas']['TestSend'];
export type TextContent = components['schemas']['TextContent'];
export type UpdateCampaign = components['schemas']['UpdateCampaign'];
export type ValidateTemplate = components['schemas']['ValidateTemplate'];
export type OperationCreateTemplate = components['schemas']['operation.createTemplate'];
export type OperationDeleteNotification = components['schemas']['operation.deleteNotification'];
export type OperationEditMessage = components['schemas']['operation.editMessage'];
export type OperationForwardMessages = components['schemas']['operation.forwardMessages'];
export type OperationGetGroupData = components['schemas']['operation.getGroupData'];
export type OperationGetIncomingStories = components['schemas']['operation.getIncomingStories'];
export type OperationGetMessage = components['schemas']['operation.getMessage'];
export type OperationGetSettings = components['schemas']['operation.getSettings'];
export type OperationGetStateInstance = components['schemas']['operation.getStateInstance'];
export type OperationGetTemplateById = components['schemas']['operation.getTemplateById'];
export type OperationGetTemplates = components['schemas']['operation.getTemplates'];
export type OperationLastOutgoingMessages = components['schemas']['operation.lastOutgoingMessages'];
export type OperationReadChat = components['schemas']['operation.readChat'];
export type OperationReceiveNotification = components['schemas']['operation.receiveNotification'];
export type OperationSendContact = components['schemas']['operation.sendContact'];
export type OperationSendFileByUrl = components['schemas']['operation.sendFileByUrl'];
export type OperationSendLocation = components['schemas']['operation.sendLocation'];
export type OperationSendMessage = components['schemas']['operation.sendMessage'];
export type OperationSendPoll = components['schemas']['operation.sendPoll'];
export type OperationSendTemplate = components['schemas']['operation.sendTemplate'];
export type OperationSendTextStatus = components['schemas']['operation.sendTextStatus'];
export type OperationSendTyping = components['schemas']['operation.sendTyping'];
export type OperationSetSettings = components['schemas']['operation.setSettings'];
export type OperationShowMessagesQueue = components['schemas']['operation.showMessagesQueue'];
export type OperationUploadFile = components['schemas']['operation.uploadFile'];
export type $defs = Record<string, never>;
export interface operations {
    readonly listMessages: {
        readonly parameters: {
            readonly query?: {
                readonly instance?: string;
                readonly state?: "pending" | "sending" | "unknown" | "unresolved" | "accepted" | "sent" | "delivered" | "read" | "rejected" | "failed" | "no_account" | "expired" | "cancelled" | "suppressed";
                /** @description Phone number in international form, or a chat id ending in @c.us, @g.us or @lid */
                readonly to?: string;
                readonly reference?: string;
                /** @description The gateway's id */
                readonly idMessage?: string;
                /** @description From the former page */
                readonly cursor?: string;
                /** @description Default: 50 */
                readonly limit?: number;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description One page; `cursor` leads to the next */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["MessageList"];
                };
            };
        };
    };
    readonly sendMessage: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Same key and same body: the same response. Another body: 422 */
                readonly "Idempotency-Key"?: string;
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["SendRequest"];
            };
        };
        readonly responses: {
            /** @description Begun, or begun before by the same key */
            readonly 202: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["BegunMessage"];
                };
            };
        };
    };
    readonly getMessage: {
        readonly parameters: {
            readonly query?: {
                /** @description Respond when it got so far or ended, or after timeoutMs as it is then */
                readonly wait?: "accepted" | "sent" | "delivered" | "read" | "end";
                /** @description How long to wait, milliseconds; at most 60000. Default: 25000 */
                readonly timeoutMs?: number;
            };
            readonly header?: never;
            readonly path: {
                /** @description All of it, or at least 4 characters that no other one begins with */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description As it stands */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Message"] | components["schemas"]["StartedMessage"];
                };
            };
        };
    };
    readonly cancelMessage: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description All of it, or at least 4 characters that no other one begins with */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Whether that was still possible */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Cancellation"];
                };
            };
        };
    };
    readonly resolveMessage: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description All of it, or at least 4 characters that no other one begins with */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["ResolveRequest"];
            };
        };
        readonly responses: {
            /** @description What the message says now */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Resolved"];
                };
            };
        };
    };
    readonly editMessage: {
        readonly parameters: {
            readonly query?: {
                /** @description How long to wait, milliseconds; at most 60000. Default: 25000 */
                readonly timeoutMs?: number;
            };
            readonly header?: {
                /** @description Same key and same body: the same response. Another body: 422 */
                readonly "Idempotency-Key"?: string;
            };
            readonly path: {
                /** @description All of it, or at least 4 characters that no other one begins with */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["EditRequest"];
            };
        };
        readonly responses: {
            /** @description How it ended */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Edit"];
                };
            };
            /** @description Not ended yet; ask again */
            readonly 202: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Edit"];
                };
            };
        };
    };
    readonly getEdit: {
        readonly parameters: {
            readonly query?: {
                /** @description How long to wait, milliseconds; at most 60000. Default: 0 */
                readonly timeoutMs?: number;
            };
            readonly header?: never;
            readonly path: {
                /** @description All of it, or at least 4 characters that no other one begins with */
                readonly id: string;
                readonly editId: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description How it ended */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Edit"];
                };
            };
            /** @description Not ended yet; ask again */
            readonly 202: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Edit"];
                };
            };
        };
    };
    readonly storeFile: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "*/*": string;
            };
        };
        readonly responses: {
            /** @description Stored */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["StoredFile"];
                };
            };
        };
    };
    readonly listCampaigns: {
        readonly parameters: {
            readonly query?: {
                readonly instance?: string;
                readonly state?: "draft" | "scheduled" | "running" | "paused" | "cancelling" | "completed" | "completed_with_failures" | "cancelled" | "expired";
                /** @description From the former page */
                readonly cursor?: string;
                /** @description Default: 50 */
                readonly limit?: number;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description One page; `cursor` leads to the next */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["CampaignList"];
                };
            };
        };
    };
    readonly beginCampaign: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Same key and same body: the same response. Another body: 422 */
                readonly "Idempotency-Key"?: string;
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["NewCampaign"];
            };
        };
        readonly responses: {
            /** @description It was there, made from the same request */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Campaign"];
                };
            };
            /** @description Written */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Campaign"];
                };
            };
        };
    };
    readonly getCampaign: {
        readonly parameters: {
            readonly query?: {
                /** @description Respond when it ended, or after timeoutMs as it is then */
                readonly wait?: "ended";
                /** @description How long to wait, milliseconds; at most 60000. Default: 25000 */
                readonly timeoutMs?: number;
            };
            readonly header?: never;
            readonly path: {
                /** @description All of it, or at least 4 characters that no other one begins with */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description With its counts by state */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Campaign"];
                };
            };
        };
    };
    readonly defineCampaign: {
        readonly parameters: {
            readonly query?: {
                /** @description Only made for a plan: recipients can be imported and a plan asked for, but it never starts, is in no list, and is removed after six hours */
                readonly planOnly?: "true";
            };
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["NewCampaign"];
            };
        };
        readonly responses: {
            /** @description It was there, and is now as asked */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Campaign"];
                };
            };
            /** @description Written */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Campaign"];
                };
            };
        };
    };
    readonly removePlan: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description It is removed, with its recipients */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly removed: boolean;
                    };
                };
            };
        };
    };
    readonly updateCampaign: {
        readonly parameters: {
            readonly query?: {
                /** @description How long to wait, milliseconds; at most 60000. Default: 45000 */
                readonly timeoutMs?: number;
            };
            readonly header?: {
                /** @description Same key and same body: the same response. Another body: 422 */
                readonly "Idempotency-Key"?: string;
            };
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["UpdateCampaign"];
            };
        };
        readonly responses: {
            /** @description As it is now */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["CampaignProgress"];
                };
            };
            /** @description Taken, and not done yet; ask again with the same key */
            readonly 202: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["CampaignProgress"];
                };
            };
        };
    };
    readonly planCampaign: {
        readonly parameters: {
            readonly query?: {
                /** @description Whose messages to show, at most 20. Default: the first, the one in the middle and the last */
                readonly sampleLines?: string;
                /** @description Default: now */
                readonly startAt?: string;
                /** @description Rows. Default: hours, where it takes at most three days */
                readonly by?: "hour" | "day";
                /** @description Hours of every day in which the phone or the gateway is away, e.g. 22:00-06:00,12:00-13:00 */
                readonly offline?: string;
                /** @description By whose clock. Default: the one of the campaign's windows, else of its instance, else UTC */
                readonly timezone?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description All of it, or at least 4 characters that no other one begins with */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The plan */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["CampaignPlan"];
                };
            };
        };
    };
    readonly sendTest: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Same key and same body: the same response. Another body: 422 */
                readonly "Idempotency-Key"?: string;
            };
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["TestSend"];
            };
        };
        readonly responses: {
            /** @description Begun as a single message */
            readonly 202: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["BegunMessage"];
                };
            };
        };
    };
    readonly startCampaign: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description It was started before */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Campaign"];
                };
            };
            /** @description Started */
            readonly 202: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Campaign"];
                };
            };
        };
    };
    readonly pauseCampaign: {
        readonly parameters: {
            readonly query?: {
                /** @description How long to wait, milliseconds; at most 60000. Default: 45000 */
                readonly timeoutMs?: number;
            };
            readonly header?: {
                /** @description Same key and same body: the same response. Another body: 422 */
                readonly "Idempotency-Key"?: string;
            };
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description It is paused */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["CampaignResponse"];
                };
            };
            /** @description Taken, and not done yet; ask again with the same key */
            readonly 202: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["CampaignProgress"];
                };
            };
        };
    };
    readonly resumeCampaign: {
        readonly parameters: {
            readonly query?: {
                /** @description How long to wait, milliseconds; at most 60000. Default: 45000 */
                readonly timeoutMs?: number;
            };
            readonly header?: {
                /** @description Same key and same body: the same response. Another body: 422 */
                readonly "Idempotency-Key"?: string;
            };
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description It runs */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["CampaignResponse"];
                };
            };
            /** @description Taken, and not done yet; ask again with the same key */
            readonly 202: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["CampaignProgress"];
                };
            };
        };
    };
    readonly cancelCampaign: {
        readonly parameters: {
            readonly query?: {
                /** @description How long to wait, milliseconds; at most 60000. Default: 45000 */
                readonly timeoutMs?: number;
            };
            readonly header?: {
                /** @description Same key and same body: the same response. Another body: 422 */
                readonly "Idempotency-Key"?: string;
            };
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Nothing more is sent by it */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["CampaignResponse"];
                };
            };
            /** @description Taken, and not done yet; ask again with the same key */
            readonly 202: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["CampaignProgress"];
                };
            };
        };
    };
    readonly retryCampaign: {
        readonly parameters: {
            readonly query?: {
                /** @description How long to wait, milliseconds; at most 60000. Default: 45000 */
                readonly timeoutMs?: number;
            };
            readonly header?: {
                /** @description Same key and same body: the same response. Another body: 422 */
                readonly "Idempotency-Key"?: string;
            };
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["RetryCampaign"];
            };
        };
        readonly responses: {
            /** @description How many were taken up */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["RetriedRecipients"];
                };
            };
            /** @description Taken, and not done yet; ask again with the same key */
            readonly 202: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["CampaignProgress"];
                };
            };
        };
    };
    readonly amendCampaign: {
        readonly parameters: {
            readonly query?: {
                /** @description How long to wait, milliseconds; at most 60000. Default: 45000 */
                readonly timeoutMs?: number;
            };
            readonly header?: {
                /** @description Same key and same body: the same response. Another body: 422 */
                readonly "Idempotency-Key"?: string;
            };
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["AmendCampaign"];
            };
        };
        readonly responses: {
            /** @description Begun; `counts` show how it stands */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Amendment"];
                };
            };
            /** @description Taken, and not done yet; ask again with the same key */
            readonly 202: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["CampaignProgress"];
                };
            };
        };
    };
    readonly planAmendment: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["AmendCampaign"];
            };
        };
        readonly responses: {
            /** @description How many can be edited, and how many not */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["AmendmentPlan"];
                };
            };
        };
    };
    readonly listAmendments: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description All of it, or at least 4 characters that no other one begins with */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description All of them */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["AmendmentList"];
                };
            };
        };
    };
    readonly listRecipients: {
        readonly parameters: {
            readonly query?: {
                /** @description Only recipients in one of these states, separated by commas */
                readonly state?: string;
                /** @description Only recipients with this reason */
                readonly reason?: string;
                /** @description From the former page */
                readonly cursor?: string;
                /** @description Default: 100 */
                readonly limit?: number;
            };
            readonly header?: never;
            readonly path: {
                /** @description All of it, or at least 4 characters that no other one begins with */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description One page, by line; `cursor` leads to the next */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ReportPage"];
                };
            };
        };
    };
    readonly importRecipients: {
        readonly parameters: {
            readonly query?: {
                /** @description Between the columns of a CSV file. Default: the one that its head is written with */
                readonly delimiter?: "," | ";" | "tab" | "|";
            };
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "text/csv": string;
                readonly "application/x-ndjson": string;
                readonly "application/json": components["schemas"]["GroupRecipients"];
            };
        };
        readonly responses: {
            /** @description The verdicts of the lines */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Imported"];
                };
            };
        };
    };
    readonly getRejectedRecipients: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description All of it, or at least 4 characters that no other one begins with */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description line,reason,value */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/csv": string;
                };
            };
        };
    };
    readonly getReportCsv: {
        readonly parameters: {
            readonly query?: {
                /** @description Only recipients in one of these states, separated by commas */
                readonly state?: string;
                /** @description Only recipients with this reason */
                readonly reason?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description All of it, or at least 4 characters that no other one begins with */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description A head, then a line for each recipient */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/csv": string;
                };
            };
        };
    };
    readonly getReportNdjson: {
        readonly parameters: {
            readonly query?: {
                /** @description Only recipients in one of these states, separated by commas */
                readonly state?: string;
                /** @description Only recipients with this reason */
                readonly reason?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description All of it, or at least 4 characters that no other one begins with */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description A line for each recipient */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/x-ndjson": string;
                };
            };
        };
    };
    readonly getReportJson: {
        readonly parameters: {
            readonly query?: {
                /** @description Only recipients in one of these states, separated by commas */
                readonly state?: string;
                /** @description Only recipients with this reason */
                readonly reason?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description All of it, or at least 4 characters that no other one begins with */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description `campaign`, and in `items` every recipient */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly campaign: components["schemas"]["Campaign"];
                        readonly items: readonly components["schemas"]["ReportRow"][];
                    };
                };
            };
        };
    };
    readonly eraseRecipient: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["NewErasure"];
            };
        };
        readonly responses: {
            /** @description It was begun before, and is pending */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Erasure"];
                };
            };
            /** @description Recorded; a worker carries it out */
            readonly 202: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Erasure"];
                };
            };
        };
    };
    readonly getErasure: {
        readonly parameters: {
            readonly query?: {
                /** @description How long to wait, milliseconds; at most 60000. Default: 0 */
                readonly timeoutMs?: number;
            };
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description As it stands */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Erasure"];
                };
            };
        };
    };
    readonly validateTemplate: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["ValidateTemplate"];
            };
        };
        readonly responses: {
            /** @description All that is wrong or unwise, at once */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["TemplateValidation"];
                };
            };
        };
    };
    readonly listTemplates: {
        readonly parameters: {
            readonly query?: {
                readonly instance?: string;
                /** @description From the former page */
                readonly cursor?: string;
                /** @description Default: 50 */
                readonly limit?: number;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description One page, without the changes of each; `cursor` leads to the next */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["TemplateList"];
                };
            };
        };
    };
    readonly submitTemplate: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["SubmitTemplate"];
            };
        };
        readonly responses: {
            /** @description It was submitted before */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Template"];
                };
            };
            /** @description Begun */
            readonly 202: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Template"];
                };
            };
        };
    };
    readonly getTemplate: {
        readonly parameters: {
            readonly query?: {
                /** @description Respond when the gateway has it, or when its review has a verdict; or after timeoutMs as it is then */
                readonly wait?: "submitted" | "decided";
                /** @description How long to wait, milliseconds; at most 60000. Default: 25000 */
                readonly timeoutMs?: number;
            };
            readonly header?: never;
            readonly path: {
                readonly instance: string;
                /** @description All of it, or at least 4 characters that no other one begins with */
                readonly elementName: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description As it stands */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Template"];
                };
            };
        };
    };
    readonly setTemplateReview: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly instance: string;
                readonly elementName: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["SetTemplateReview"];
            };
        };
        readonly responses: {
            /** @description What the template says now */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Template"];
                };
            };
        };
    };
    readonly listSuppressions: {
        readonly parameters: {
            readonly query?: {
                /** @description Phone number as in a file of recipients, or a chat id ending in @c.us, @g.us or @lid */
                readonly to?: string;
                /** @description Of numbers written without + or 00. Without it they are taken as international */
                readonly defaultCountry?: string;
                /** @description What holds for this account: its own entries, and those for all */
                readonly instance?: string;
                readonly source?: "stop_word" | "operator" | "import";
                readonly scope?: "marketing" | "all";
                /** @description Also those that hold no longer */
                readonly removed?: "true" | "";
                /** @description From the former page */
                readonly cursor?: string;
                /** @description Default: 50 */
                readonly limit?: number;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description One page; `cursor` leads to the next */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["SuppressionList"];
                };
            };
        };
    };
    readonly addSuppression: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["AddSuppression"];
            };
        };
        readonly responses: {
            /** @description It was there */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Suppression"];
                };
            };
            /** @description Added */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Suppression"];
                };
            };
        };
    };
    readonly removeSuppression: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["RemoveSuppression"];
            };
        };
        readonly responses: {
            /** @description What was removed; none when nothing was there */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["RemovedSuppressions"];
                };
            };
        };
    };
    readonly importSuppressions: {
        readonly parameters: {
            readonly query?: {
                /** @description For this account only. Default: for all */
                readonly instance?: string;
                /** @description Default: marketing */
                readonly scope?: "marketing" | "all";
                /** @description Of numbers written without + or 00. Without it they are taken as international */
                readonly defaultCountry?: string;
                /** @description Between the columns of CSV */
                readonly delimiter?: "," | ";" | "tab" | "|";
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "text/plain": string;
                readonly "text/csv": string;
                readonly "application/x-ndjson": string;
            };
        };
        readonly responses: {
            /** @description The verdicts of the lines */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ImportedSuppressions"];
                };
            };
        };
    };
    readonly listNotifications: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description As it stands */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly items: readonly components["schemas"]["NotificationSummary"][];
                    };
                };
            };
        };
    };
    readonly beginReplay: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Same key and same body: the same response. Another body: 422 */
                readonly "Idempotency-Key"?: string;
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["ReplayRequest"];
            };
        };
        readonly responses: {
            /** @description Begun, or begun before by the same key */
            readonly 202: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Replay"];
                };
            };
        };
    };
    readonly getReplay: {
        readonly parameters: {
            readonly query?: {
                /** @description Respond when it has ended, or after timeoutMs as it is then */
                readonly wait?: "end";
                /** @description How long to wait, milliseconds; at most 60000. Default: 25000 */
                readonly timeoutMs?: number;
            };
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description As it stands */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Replay"];
                };
            };
        };
    };
    readonly receiveNotification: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly instance: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Stored */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly listEventEndpoints: {
        readonly parameters: {
            readonly query?: {
                readonly instance?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description All of them */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly items: readonly components["schemas"]["EventEndpoint"][];
                    };
                };
            };
        };
    };
    readonly createEventEndpoint: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Same key and same body: the same response. Another body: 422 */
                readonly "Idempotency-Key"?: string;
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["NewEventEndpoint"];
            };
        };
        readonly responses: {
            /** @description It was there, made from the same request */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["EventEndpointWithSecret"];
                };
            };
            /** @description Created, with its secret */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["EventEndpointWithSecret"];
                };
            };
        };
    };
    readonly getEventEndpoint: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description As it stands */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["EventEndpoint"];
                };
            };
        };
    };
    readonly deleteEventEndpoint: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Deleted */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly deleted: string;
                    };
                };
            };
        };
    };
    readonly changeEventEndpoint: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["EventEndpointChange"];
            };
        };
        readonly responses: {
            /** @description Changed */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["EventEndpoint"];
                };
            };
        };
    };
    readonly rotateEventSecret: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["SecretRotation"];
            };
        };
        readonly responses: {
            /** @description With the new secret */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["EventEndpointWithSecret"];
                };
            };
        };
    };
    readonly testEventEndpoint: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Recorded */
            readonly 202: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly event: string;
                    };
                };
            };
        };
    };
    readonly replayEvents: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Same key and same body: the same response. Another body: 422 */
                readonly "Idempotency-Key"?: string;
            };
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["EventReplay"];
            };
        };
        readonly responses: {
            /** @description They are due */
            readonly 202: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ReplayedEvents"];
                };
            };
        };
    };
    readonly listEvents: {
        readonly parameters: {
            readonly query?: {
                readonly instance?: string;
                readonly type?: "message.received" | "reaction.received" | "call.received" | "notification.received" | "message.state_changed" | "message.unresolved" | "edit.settled" | "campaign.state_changed" | "template.reviewed" | "instance.state_changed" | "endpoint.test";
                /** @description Those from then on */
                readonly since?: string;
                /** @description Without a cursor: no event, and the cursor of what comes next */
                readonly from?: "end";
                /** @description From the former page */
                readonly cursor?: string;
                /** @description Default: 50 */
                readonly limit?: number;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description One page; `cursor` goes on after it, also where nothing is left */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["EventList"];
                };
            };
        };
    };
    readonly getEvent: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description As it stands */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["EventWithDeliveries"];
                };
            };
        };
    };
    readonly beginOperation: {
        readonly parameters: {
            readonly query?: {
                /** @description Respond with the result, or after timeoutMs as it is then */
                readonly wait?: "" | "true" | "end";
                /** @description How long to wait, milliseconds; at most 60000. Default: 25000 */
                readonly timeoutMs?: number;
            };
            readonly header?: {
                /** @description Same key and same body: the same response. Another body: 422 */
                readonly "Idempotency-Key"?: string;
            };
            readonly path: {
                readonly method: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["OperationRequest"];
            };
        };
        readonly responses: {
            /** @description Ended */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Operation"];
                };
            };
            /** @description Begun */
            readonly 202: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Operation"];
                };
            };
        };
    };
    readonly getOperation: {
        readonly parameters: {
            readonly query?: {
                /** @description Respond with the result, or after timeoutMs as it is then */
                readonly wait?: "" | "true" | "end";
                /** @description How long to wait, milliseconds; at most 60000. Default: 25000 */
                readonly timeoutMs?: number;
            };
            readonly header?: never;
            readonly path: {
                readonly method: string;
                /** @description All of it, or at least 4 characters that no other one begins with */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description As it stands */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Operation"];
                };
            };
        };
    };
    readonly listSchedules: {
        readonly parameters: {
            readonly query?: {
                readonly state?: "active" | "paused";
                /** @description From the former page */
                readonly cursor?: string;
                /** @description Default: 50 */
                readonly limit?: number;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description One page; `cursor` leads to the next */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ScheduleList"];
                };
            };
        };
    };
    readonly createSchedule: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Same key and same body: the same response. Another body: 422 */
                readonly "Idempotency-Key"?: string;
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["NewSchedule"];
            };
        };
        readonly responses: {
            /** @description It was there, made from the same request */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Schedule"];
                };
            };
            /** @description Created */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Schedule"];
                };
            };
        };
    };
    readonly getSchedule: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description As it stands */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ScheduleWithRuns"];
                };
            };
        };
    };
    readonly deleteSchedule: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description It is deleted */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly deleted: boolean;
                    };
                };
            };
        };
    };
    readonly pauseSchedule: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Same key and same body: the same response. Another body: 422 */
                readonly "Idempotency-Key"?: string;
            };
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["ScheduleNote"];
            };
        };
        readonly responses: {
            /** @description It is paused */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Schedule"];
                };
            };
        };
    };
    readonly resumeSchedule: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Same key and same body: the same response. Another body: 422 */
                readonly "Idempotency-Key"?: string;
            };
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["ScheduleNote"];
            };
        };
        readonly responses: {
            /** @description It runs */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Schedule"];
                };
            };
        };
    };
    readonly triggerSchedule: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Same key and same body: the same response. Another body: 422 */
                readonly "Idempotency-Key"?: string;
            };
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The run */
            readonly 202: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ScheduleRun"];
                };
            };
        };
    };
    readonly backfillSchedule: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Same key and same body: the same response. Another body: 422 */
                readonly "Idempotency-Key"?: string;
            };
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["BackfillSchedule"];
            };
        };
        readonly responses: {
            /** @description The runs that it adds */
            readonly 202: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly runs: readonly components["schemas"]["ScheduleRun"][];
                    };
                };
            };
        };
    };
    readonly listInstances: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description All of them */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly items: readonly components["schemas"]["Instance"][];
                    };
                };
            };
        };
    };
    readonly getInstance: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly name: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Configuration, state, pauses, and what waits */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Instance"];
                };
            };
        };
    };
    readonly pauseInstance: {
        readonly parameters: {
            readonly query?: {
                /** @description How long to wait, milliseconds; at most 60000. Default: 25000 */
                readonly timeoutMs?: number;
            };
            readonly header?: {
                /** @description Same key and same body: the same response. Another body: 422 */
                readonly "Idempotency-Key"?: string;
            };
            readonly path: {
                readonly name: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The operator's pause, and how the instance is now */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["PausedInstance"];
                };
            };
            /** @description It is paused, and a POST that began before is under way */
            readonly 202: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["PausedInstance"];
                };
            };
        };
    };
    readonly resumeInstance: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Same key and same body: the same response. Another body: 422 */
                readonly "Idempotency-Key"?: string;
            };
            readonly path: {
                readonly name: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The pauses that it ended, and how the instance is now */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ResumedInstance"];
                };
            };
        };
    };
    readonly listJobs: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description All of them */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly items: readonly components["schemas"]["RecurringJob"][];
                    };
                };
            };
        };
    };
    readonly beginJob: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["NewRecurringJob"];
            };
        };
        readonly responses: {
            /** @description It was there, and has this interval now */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["RecurringJob"];
                };
            };
            /** @description Written */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["RecurringJob"];
                };
            };
        };
    };
    readonly stopJob: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description It runs no more */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly stopped: boolean;
                    };
                };
            };
        };
    };
    readonly listStories: {
        readonly parameters: {
            readonly query?: {
                readonly instance?: string;
                /** @description From the former page */
                readonly cursor?: string;
                /** @description Default: 50 */
                readonly limit?: number;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description One page; `cursor` leads to the next */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["StoryList"];
                };
            };
        };
    };
    readonly listSnapshots: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly instance: string;
                readonly groupId: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description At most 100 */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["GroupSnapshotList"];
                };
            };
        };
    };
    readonly takeSnapshot: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly instance: string;
                readonly groupId: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description With what changed since the one before */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["GroupSnapshot"];
                };
            };
        };
    };
    readonly decodePayloads: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["GivenPayloads"];
            };
        };
        readonly responses: {
            /** @description As many, in the same order */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Payloads"];
                };
            };
        };
    };
    readonly encodePayloads: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["GivenPayloads"];
            };
        };
        readonly responses: {
            /** @description As many, in the same order */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Payloads"];
                };
            };
        };
    };
    readonly listKeys: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description All of them */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly items: readonly components["schemas"]["ApiKey"][];
                    };
                };
            };
        };
    };
    readonly createKey: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["NewApiKey"];
            };
        };
        readonly responses: {
            /** @description Created */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["IssuedApiKey"];
                };
            };
        };
    };
    readonly getKey: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly name: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description As it stands */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ApiKey"];
                };
            };
        };
    };
    readonly rotateKey: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly name: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["ApiKeyRotation"];
            };
        };
        readonly responses: {
            /** @description With the new key */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["IssuedApiKey"];
                };
            };
        };
    };
    readonly revokeKey: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly name: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description It is revoked */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ApiKey"];
                };
            };
        };
    };
    readonly listAudit: {
        readonly parameters: {
            readonly query?: {
                /** @description Only those of the key of this name */
                readonly key?: string;
                readonly instance?: string;
                /** @description ISO 8601 */
                readonly since?: string;
                /** @description From the former page */
                readonly cursor?: string;
                /** @description Default: 50 */
                readonly limit?: number;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description One page; `cursor` leads to the next */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["AuditList"];
                };
            };
        };
    };
    readonly livez: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description It does */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Health"];
                };
            };
        };
    };
    readonly readyz: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description It can */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Health"];
                };
            };
        };
    };
    readonly metrics: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Prometheus' text format */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/plain": string;
                };
            };
        };
    };
    readonly openapi: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OpenAPI 3.1 */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly openapi: string;
                    } & {
                        readonly [key: string]: unknown;
                    };
                };
            };
        };
    };
    readonly docs: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description HTML */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/html": string;
                };
            };
        };
    };
}
