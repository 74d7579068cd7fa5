/** Generated from openapi.json by `npm run build`. */
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
         * @description The message is durable once the response is 202: it reaches exactly one end state, through outages and restarts. The API also accepts messages while Temporal is unavailable. Scope: send.
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
         * Retrieve a message with its evidence
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
         * Cancel a message that was not posted yet
         * @description While the message is being posted, the response waits until the POST ends. `sending`: the POST has not ended; if it fails, the message is cancelled. Scope: send.
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
         * @description `accepted` makes the message sent; with `idMessage` it makes it accepted, and the receipts of that id count for it. `not_accepted` makes it pending again, so check the phone first. `not_accepted` is refused while the gateway may still accept the lost request. `by_evidence` asks the gateway's queue and journal, and the stored notifications: what they show is accepted, what they prove to be absent is pending again, and anything else keeps its state. Scope: admin.
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
         * @description Replaces the text of a message that was not posted yet. A sent message is edited at the gateway within 15 minutes. In between the edit waits until the message is sent. Scope: send.
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
         * Retrieve an edit
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
         * Store a file for messages
         * @description Stores up to 100 MB as a stream. Messages name the file as content.fileId. The same bytes of the same type have the same id, so a repeated request needs no Idempotency-Key. everpost uploads the file to an instance's gateway with its first message. Scope: send.
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
         * Create a campaign
         * @description Creates a draft. Import recipients into it, then start it. Scope: send.
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
         * Retrieve a campaign
         * @description Scope: read.
         */
        readonly get: operations["getCampaign"];
        /**
         * Create a campaign, or replace the definition of a draft
         * @description The recipients stay, unless the new definition has another instance or default country. Then import them again. Scope: send.
         */
        readonly put: operations["defineCampaign"];
        readonly post?: never;
        /**
         * Delete a campaign that was created only for a plan
         * @description Scope: send.
         */
        readonly delete: operations["removePlan"];
        readonly options?: never;
        readonly head?: never;
        /**
         * Update a campaign's high water mark, text, deadline, name, start time or accounts
         * @description The change applies to every recipient who is posted to later. In a campaign that has ended it applies to a retry. Scope: send.
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
         * Plan a campaign
         * @description Simulates a start of the campaign. Reads the whole audience, which takes about a minute for a million recipients. Scope: read.
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
    readonly "/v1/campaigns/{id}/test": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Send a test of a campaign
         * @description Sends the campaign's current content, with the values of one line, to any number. The test is a message of its own, marked with `testOf`: it is in no count, report or limit of the campaign, and goes at once, also outside of sending windows. The suppression list applies. Scope: send.
         */
        readonly post: operations["testCampaign"];
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
         * Start a campaign
         * @description Starts the campaign once and freezes its recipients and their values. The start is durable once the response is 202. A campaign with `startAt` is scheduled and begins at that time. If more than 5 % of the lines of its recipients were rejected, it starts only with `acceptRejected`. Scope: send.
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
         * @description Responds when no further POST can begin and those under way have ended. The gateway still sends the items in its queue. Scope: send.
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
         * Resume a paused campaign, or one account that its automatic pause has stopped
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
         * @description Stops the campaign permanently. Recipients who were not posted to end cancelled. Responds like a pause. Scope: send.
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
         * Retry recipients who ended without the message
         * @description Never retries a recipient who has the message, or may still get it. A campaign that has ended runs again. One that was cancelled before it began is started, with all checks of a start. Unknown and unresolved messages are reconciled again, and posted again only with `maySendTwice`. Scope: send.
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
         * Amend the text of a campaign, also for recipients who were sent an older one
         * @description Recipients who were not posted to get the new text or are cancelled. Messages sent less than 15 minutes ago are edited, newest first, as many as possible in time. The amendment is durable once the response is sent. Scope: send.
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
         * Plan an amendment
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
         * List the amendments of a campaign, newest first
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
         * List the recipients of a campaign with their states
         * @description Scope: read.
         */
        readonly get: operations["listRecipients"];
        /**
         * Import the recipients of a campaign
         * @description Replaces the audience with a file of up to EVERPOST_MAX_IMPORT_SIZE (1 GB), read as a stream, or with the participants of a group. Every line gets a verdict. The audience changes only after the whole source was read, and not if it is the same again. Meanwhile the campaign shows `importing`. Scope: send.
         */
        readonly put: operations["importRecipients"];
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/campaigns/{id}/recipients/check": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Check a file of recipients without importing it
         * @description Reads a file of up to 32 MB as an import would, and changes nothing: its columns with their first values, the verdicts of its lines, and what the campaign's content needs. Also responds to a file whose columns an import would refuse, with the `problems`. Duplicates are those within the file. Scope: read.
         */
        readonly post: operations["checkRecipients"];
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
         * List the lines that added no recipient
         * @description CSV with the columns of the source, and line, reason and remedy. After correction it is imported as an addition: the last three columns are not read as values. Scope: read.
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
         * Export the report of a campaign as CSV
         * @description Begins with a byte order mark, so that Excel reads UTF-8. With `timezone`, times are written as `2026-03-01 11:00:00`, which spreadsheets read as date and time. Scope: read.
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
         * Export the report of a campaign as NDJSON
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
         * Export the report of a campaign as JSON
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
    readonly "/v1/campaigns/{id}/summary": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Count the recipients of a campaign by reason and over time
         * @description A count reads every message, so it is kept: the response may be of some time ago, the longer the larger the campaign is, and `asOf` is when. The first count may take longer than the request waits. The periods are a minute to four weeks long, so that there are at most 80. Scope: read.
         */
        readonly get: operations["getCampaignSummary"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/campaigns/{id}/report.html": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Show a summary of a campaign as a page
         * @description Counts by state, over time and by reason, without numbers or values of recipients. The page needs no scripts and nothing from another address. It is also available after the recipients were removed because of their age: without times and reasons. Scope: read.
         */
        readonly get: operations["getReportHtml"];
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
         * Erase a recipient
         * @description Erases phone number, names and texts. Pending messages to the recipient are cancelled, schedules that send to them end, and work in flight ends first. Texts to others that are still to be sent are not changed but listed. Rows stay with their states and times, so that totals add up; an opt-out stays as a hash. A repeated request while the erasure is pending gives the same erasure. Scope: admin; the key must be valid for every instance.
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
         * Retrieve an erasure
         * @description Scope: admin; the key must be valid for every instance.
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
         * Validate a template
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
         * Submit a template for review
         * @description Submits the template once and polls its review. Instance and elementName are its key: a repeated request gives the same template, and a changed template under a used name is rejected. Needs no Idempotency-Key. Scope: send.
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
         * Retrieve a template with its changes
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
         * Set the review of a template
         * @description Records an operator's decision if the review cannot be read, or not soon enough. It ends the wait at once and applies until the gateway shows a new status. Scope: admin.
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
         * List suppressed recipients, newest first
         * @description Scope: read.
         */
        readonly get: operations["listSuppressions"];
        readonly put?: never;
        /**
         * Add a recipient to the suppression list
         * @description After the response, no POST of a message that the entry covers begins: the message ends suppressed. A repeated request changes nothing and needs no Idempotency-Key. Scope: send.
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
         * Remove a recipient from the suppression list
         * @description Closes every entry, also one of a STOP word: be sure that the recipient wants this. Closed entries are kept with their times. Scope: admin.
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
         * Import recipients into the suppression list
         * @description Reads a file of up to EVERPOST_MAX_IMPORT_SIZE (1 GB) as a stream. Every line gets a verdict. If the import breaks off, the lines read before stay on the list; a repeated import adds the rest. Scope: send.
         */
        readonly post: operations["importSuppressions"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/suppressions/possible": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List messages that may mean STOP, newest first
         * @description Incoming messages that are similar to a STOP word and are none. They suppress nothing until an operator accepts them. While one of a recipient is open, further ones are counted at it. Scope: read.
         */
        readonly get: operations["listPossibleOptOuts"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/suppressions/possible/{id}/accept": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Accept a possible opt-out
         * @description Adds the recipient to the suppression list as a STOP word would, from the time of the message on. A repeated request changes nothing. One that was dismissed can still be accepted. An instance that is no longer configured may still have possible opt-outs. Scopes: send and read.
         */
        readonly post: operations["acceptPossibleOptOut"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/suppressions/possible/{id}/dismiss": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Dismiss a possible opt-out
         * @description Suppresses nothing. The same text of the same recipient is not listed again. A repeated request changes nothing. One that was accepted cannot be dismissed. Scopes: send and read.
         */
        readonly post: operations["dismissPossibleOptOut"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/chats": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List the chats in which contacts write, newest first
         * @description Direct chats and groups of the configured accounts, with the last message of each. Texts are those of the stored notifications, and are deleted with them (EVERPOST_NOTIFICATION_RETENTION). Scope: read.
         */
        readonly get: operations["listChats"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/chats/read": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Mark a chat as read
         * @description Up to the message that arrived at `until`; what arrived later stays unread. It is everpost's own mark, one for all operators: the phone and the contact do not learn of it. To mark the chat on the phone, use the operation readChat. A repeated request changes nothing. Scopes: send and read.
         */
        readonly post: operations["markChatRead"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/contacts/{to}/timeline": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List what happened with a contact, newest first
         * @description Messages to the contact with their edits, what the contact wrote, what was written on the phone, possible opt-outs, and changes of the suppression list. `to` is a phone number or chat id in any spelling, or the id of a group. What was received is deleted with the stored notifications (EVERPOST_NOTIFICATION_RETENTION). Scope: read.
         */
        readonly get: operations["listTimeline"];
        readonly put?: never;
        readonly post?: never;
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
         * Summarize the notifications of each instance
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
         * Replay stored notifications
         * @description Applies them again, which is safe at any time: a notification that was applied before changes nothing. New notifications are applied first. Scope: admin.
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
         * Retrieve a replay
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
        /** Receive a notification of the gateway */
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
         * List event endpoints
         * @description Scope: read.
         */
        readonly get: operations["listEventEndpoints"];
        readonly put?: never;
        /**
         * Create an event endpoint
         * @description Every event that the endpoint subscribes to is recorded together with the change that it reports. It is posted at least once, signed as in Standard Webhooks, and in order for each chat. Scope: admin.
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
         * Retrieve an event endpoint
         * @description `callbacks-<instance>` is the endpoint of an instance's status callbacks. Scope: read.
         */
        readonly get: operations["getEventEndpoint"];
        readonly put?: never;
        readonly post?: never;
        /**
         * Delete an event endpoint and its waiting deliveries
         * @description Scope: admin.
         */
        readonly delete: operations["deleteEventEndpoint"];
        readonly options?: never;
        readonly head?: never;
        /**
         * Update an event endpoint, or disable or enable it
         * @description Waiting deliveries are due at once. While the endpoint is disabled, they wait. A stored Authorization header is not sent to another origin (scheme, host and port): a change of the URL to one needs `authorization` too, the header for it or null. Scope: admin.
         */
        readonly patch: operations["changeEventEndpoint"];
        readonly trace?: never;
    };
    readonly "/v1/event-endpoints/{id}/deliveries": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List the deliveries of an event endpoint that wait or failed
         * @description Scope: read.
         */
        readonly get: operations["listEndpointDeliveries"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
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
         * Rotate the secret of an event endpoint
         * @description The former secret also signs for a while, so that no event is rejected in the meantime. Scope: admin.
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
         * Send a test event to an event endpoint
         * @description Posts an event of type endpoint.test, also to an endpoint with `raw`. GET /v1/events/{id} shows its deliveries. Scope: admin.
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
         * Replay stored events to an event endpoint
         * @description Delivers one event again, or all events of a period that the endpoint subscribes to, whether or not they were delivered before. Scope: admin.
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
         * List stored events
         * @description Oldest first by default: repeat the request with the cursor to read later events. None is left out, even if deliveries fail. Events are stored for instances that have an endpoint. Scope: read.
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
         * Retrieve an event
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
         * @description Sends become messages, and an edit of an everpost message becomes its edit. Other operations are retried for days if a repetition is safe, and otherwise sent at most once. An operation that shows texts, numbers or the state of the account also requires the scope read; clearMessagesQueue, reboot, setSettings, receiveNotification and deleteNotification require admin. Scope: send.
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
         * Retrieve an operation
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
         * Create a schedule of campaigns or messages
         * @description Each time becomes a campaign with its own id, whose recipients are read at that time, or one message. The schedule is durable once the response is sent, also while Temporal is unavailable. Scope: send.
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
         * Retrieve a schedule with its next and latest runs
         * @description Scope: read.
         */
        readonly get: operations["getSchedule"];
        readonly put?: never;
        readonly post?: never;
        /**
         * Delete a schedule
         * @description Campaigns and messages of the schedule stay. A schedule of the same id can be created once they have ended; times that had a run are not run again. Scope: send.
         */
        readonly delete: operations["deleteSchedule"];
        readonly options?: never;
        readonly head?: never;
        /**
         * Change a schedule in place
         * @description Changes what the schedule sends, when, and its policies. A run that has not started yet ends; campaigns that have started continue. Scope: send.
         */
        readonly patch: operations["updateSchedule"];
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
         * @description Temporal starts no run until the schedule is resumed. Runs that have begun continue. The same key takes effect once. Scope: send.
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
         * @description Times that passed during the pause are not run. To run them, use a backfill. The same key takes effect once. Scope: send.
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
         * @description A paused schedule can be run, too. The same key gives one run. Scope: send.
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
         * Backfill the runs of a schedule for past times
         * @description Adds a run for each time in the range that has none, at most 100. They run one after the other unless the schedule's overlap is `allow`. A repeated request changes nothing. Scope: send.
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
         * List instances with their states, by name
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
         * Retrieve an instance
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
         * @description Pauses the instance until an operator resumes it: no message is posted. Responds when no POST is under way. The gateway still sends the items in its queue. A repeated request with the same key does not pause again after a resume. Scope: admin.
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
         * @description Ends all pauses of the instance; without a pause it changes nothing. After a yellow card, a block or a suspension it is rejected until the account is authorized again. A repeated request with the same key does not end a later pause. Scope: admin.
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
         * Create a recurring job that reads account data
         * @description The first run is due at once. A request for an existing job changes its interval. Scope: send.
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
         * Stop a recurring job
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
         * List snapshots of a group, newest first
         * @description Scope: read.
         */
        readonly get: operations["listSnapshots"];
        readonly put?: never;
        /**
         * Take a snapshot of a group
         * @description Scopes: send and read.
         */
        readonly post: operations["takeSnapshot"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/findings": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Examine ledger, accounts and Temporal, as the doctor does
         * @description Findings are kept for some seconds, those of accounts for a minute: repeated requests get the same ones, with the time at which they were found. What has not responded within 15 seconds is `unknown`, and continues. A key for some instances gets their findings alone. Scope: read.
         */
        readonly get: operations["listFindings"];
        readonly put?: never;
        readonly post?: never;
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
         * @description Codec endpoint for Temporal's Web UI: configure `/codec`. Unencrypted payloads are returned unchanged. Scope: admin; the key must be valid for every instance.
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
         * @description Uses the first key of EVERPOST_ENCRYPTION_KEYS. Without keys, payloads are returned unchanged. Scope: admin; the key must be valid for every instance.
         */
        readonly post: operations["encodePayloads"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/caller": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Show what the API key of the request may do */
        readonly get: operations["getCaller"];
        readonly put?: never;
        readonly post?: never;
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
         * List API keys, also revoked ones
         * @description Scope: admin; the key must be valid for every instance.
         */
        readonly get: operations["listKeys"];
        readonly put?: never;
        /**
         * Create an API key
         * @description Only this response shows the key: only a hash of it is stored. Scope: admin; the key must be valid for every instance.
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
         * Retrieve an API key
         * @description Scope: admin; the key must be valid for every instance.
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
         * Rotate the secret of an API key
         * @description The previous key stays valid for the overlap. An even older key, still valid from an earlier rotation, becomes invalid. Scope: admin; the key must be valid for every instance.
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
         * Revoke an API key permanently
         * @description The process that responds refuses the key at once, every other process within 2 seconds. Scope: admin; the key must be valid for every instance.
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
         * List audited requests, newest first
         * @description Requests that changed something or were rejected, without their bodies. Sends are not listed, since each message names its requester. Scope: admin.
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
        /** Check that the process runs */
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
         * Check that the ledger is reachable
         * @description Temporal may be unavailable: messages are accepted and are sent later.
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
         * Read metrics for Prometheus
         * @description Metrics of the ledger, for all instances, of Temporal, and of this process; see docs/metrics.md. While the ledger is unavailable, everpost_ledger_up is 0 and its metrics are absent; the same holds for Temporal. Scope: read; the key must be valid for every instance.
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
        /** Read the OpenAPI document */
        readonly get: operations["openapi"];
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
        readonly AcceptedOptOut: {
            readonly possible: components["schemas"]["PossibleOptOut"];
            /** @description The entry. `removedAt` is present if the recipient has written START since */
            readonly suppression?: components["schemas"]["Suppression"];
            /** @description Other entries already kept marketing messages from the recipient */
            readonly wasSuppressed: boolean;
        };
        readonly AddSuppression: {
            /** @description Phone number, international or of the `defaultCountry`, or a chat id that ends in @c.us, @g.us or @lid */
            readonly to: string;
            /** @description Country of phone numbers without + or 00. Default: they are read as international numbers */
            readonly defaultCountry?: string;
            /** @description The instance that the entry is for. Default: all */
            readonly instance?: string;
            /**
             * @description `marketing`: the entry blocks marketing messages. `all`: it also blocks transactional messages. Default: marketing
             * @enum {string}
             */
            readonly scope?: "marketing" | "all";
            /** @description A text of yours that responses repeat */
            readonly note?: string;
        };
        readonly AddedSuppression: {
            /** @description Id of the entry */
            readonly id: string;
            /** @description The suppressed chat */
            readonly chatId: string;
            /** @description The instance that the entry is for. Absent: all instances */
            readonly instance?: string;
            /**
             * @description `marketing`: marketing messages are blocked. `all`: transactional messages as well
             * @enum {string}
             */
            readonly scope: "marketing" | "all";
            /**
             * @description Origin of the entry: a STOP word, an operator, or an import
             * @enum {string}
             */
            readonly source: "stop_word" | "operator" | "import";
            /**
             * Format: date-time
             * @description For a STOP word: when the gateway received it
             */
            readonly since: string;
            /**
             * Format: date-time
             * @description When the entry was recorded
             */
            readonly recordedAt: string;
        };
        readonly AmendCampaign: {
            /** @description The complete new text, with {{variables}}, also for recipients who were sent an older text */
            readonly text: string;
            /** @description True also cancels the recipients who were not posted to. Default: false */
            readonly stop?: boolean;
        };
        readonly Amendment: {
            /** @description Version of the campaign's text. `shownVersion` of the report refers to it */
            readonly contentVersion: number;
            readonly text: string;
            readonly textBefore: string;
            readonly stop: boolean;
            /**
             * @description State of the amendment. `replaced`: a newer amendment took its place
             * @enum {string}
             */
            readonly state: "running" | "ended" | "replaced";
            /** Format: date-time */
            readonly begunAt: string;
            /** Format: date-time */
            readonly endedAt?: string;
            /** @description What the amendment could do for each recipient when it began */
            readonly before: components["schemas"]["AmendmentPlan"];
            /** @description What the recipients saw. The counts add up to the audience */
            readonly counts: {
                /** @description Recipients who saw an older text that now shows as the new one */
                readonly edited: number;
                /** @description Recipients whose edit is not posted or not confirmed yet */
                readonly pending: number;
                /** @description Recipients whose edit was posted without a sign of success or rejection */
                readonly unconfirmed: number;
                /** @description Recipients whose edit the gateway rejected */
                readonly refused: number;
                /** @description Recipients whose edit came more than 15 minutes after the message was sent */
                readonly tooLate: number;
                /** @description Recipients whose message was accepted with an older text and never seen sent */
                readonly notPossible: number;
                /** @description Recipients whose edit was replaced by a newer one */
                readonly superseded: number;
                /** @description Recipients who were sent only the new text */
                readonly newText: number;
                /** @description Recipients whose message was not posted yet */
                readonly unsent: number;
                /** @description Recipients whose own message was edited */
                readonly ownText: number;
                /** @description Recipients who ended without a sent message */
                readonly notSent: number;
                /** @description Recipients whose outcome could not be determined */
                readonly unresolved: number;
            };
            /** @description How the edits will end, computed again at each request. Only while edits are made */
            readonly expected?: {
                /** @description How many recipients will have been edited */
                readonly edited: number;
                /** @description How many of `counts.pending` will be too late: all turns before their limit are taken */
                readonly missed: number;
                /** @description How many edits were expected when the amendment began */
                readonly promised: number;
            };
        };
        readonly AmendmentList: {
            readonly items: readonly components["schemas"]["Amendment"][];
        };
        /** @description All counts except `reachable` and `seconds` add up to the audience */
        readonly AmendmentPlan: {
            readonly audience: number;
            /** @description Recipients who were sent an older text less than 15 minutes ago */
            readonly editable: number;
            /** @description How many of them can be edited in time */
            readonly reachable: number;
            /** @description Recipients whose message was posted and is not sent yet. It is edited as soon as it is sent */
            readonly underWay: number;
            /** @description Recipients who were sent an older text more than 15 minutes ago */
            readonly tooLate: number;
            /** @description Recipients whose message was not posted. They get the new text, or are cancelled */
            readonly unsent: number;
            /** @description Recipients who have this text already */
            readonly newText: number;
            /** @description Recipients whose own message was edited. It does not change */
            readonly ownText: number;
            /** @description Recipients who ended without a sent message */
            readonly notSent: number;
            /** @description Recipients whose outcome could not be determined */
            readonly unresolved: number;
            /** @description How long the reachable edits take, in seconds */
            readonly seconds: number;
        };
        readonly ApiKey: {
            /** @description The part of the key that is not secret */
            readonly id: string;
            /** @description Name of the key: the witness in evidence and in the audit list */
            readonly name: string;
            /** @description Rights of the key */
            readonly scopes: readonly ("read" | "send" | "admin")[];
            /** @description Instances that the key may use. Absent: every instance */
            readonly instances?: readonly string[];
            /** @description Requests per second. Absent: the rate of EVERPOST_KEY_LIMITS */
            readonly ratePerSecond?: number;
            /**
             * Format: date-time
             * @description When the key was created
             */
            readonly createdAt: string;
            /** @description Who created the key */
            readonly createdBy: string;
            /**
             * Format: date-time
             * @description When the key was last used, to the minute
             */
            readonly lastUsedAt?: string;
            /**
             * Format: date-time
             * @description When the key expires. Absent: never
             */
            readonly expiresAt?: string;
            /**
             * Format: date-time
             * @description After a rotation: until when the previous key is also valid
             */
            readonly previousUntil?: string;
            /**
             * Format: date-time
             * @description When the key was revoked
             */
            readonly revokedAt?: string;
        };
        readonly ApiKeyRotation: {
            /**
             * @description How long the previous key stays valid. Default: 24h
             * @default 24h
             */
            readonly overlap: string;
        };
        readonly Attempt: {
            /** @description Id of the attempt */
            readonly token: string;
            /**
             * Format: date-time
             * @description When the attempt was recorded, before its request
             */
            readonly claimedAt: string;
            /**
             * Format: date-time
             * @description The request never leaves after this time
             */
            readonly postingDeadlineAt: string;
            /**
             * @description Absent while the request is under way
             * @enum {string}
             */
            readonly outcome?: "accepted" | "rejected" | "not_accepted" | "unknown";
            /**
             * Format: date-time
             * @description When the outcome was recorded
             */
            readonly outcomeAt?: string;
            /** @description The gateway's id */
            readonly idMessage?: string;
            /** @description Code of the failure, see docs/errors.md */
            readonly code?: string;
            /** @description The gateway's own words */
            readonly text?: string;
            /** @description HTTP status of the gateway's response */
            readonly httpStatus?: number;
            /**
             * Format: date-time
             * @description When the next attempt is due. Only if this attempt was surely not accepted
             */
            readonly retryAt?: string;
        };
        readonly Audience: {
            /** @description Non-empty lines of the source, without its header */
            readonly lines: number;
            /** @description Lines by verdict. The counts add up to `lines` */
            readonly verdicts: {
                readonly accepted: number;
                readonly duplicate: number;
                readonly bad_number: number;
                readonly several_numbers: number;
                readonly lost_in_spreadsheet: number;
                readonly country_unclear: number;
                readonly country_missing: number;
                readonly number_missing: number;
                readonly not_allowed: number;
                readonly unreadable: number;
                readonly bad_value: number;
                readonly lid_only: number;
                readonly own_account: number;
                readonly timezone_unknown: number;
            };
            /** @description Lines that should be recipients and are not: neither accepted nor a duplicate */
            readonly rejected: number;
            /** @description What to do about each verdict that occurred */
            readonly remedies: readonly {
                /** @enum {string} */
                readonly verdict: "duplicate" | "bad_number" | "several_numbers" | "lost_in_spreadsheet" | "country_unclear" | "country_missing" | "number_missing" | "not_allowed" | "unreadable" | "bad_value" | "lid_only" | "own_account" | "timezone_unknown";
                readonly lines: number;
                readonly remedy: string;
            }[];
            /** @description How many sources were added to the first one */
            readonly additions: number;
            /** Format: date-time */
            readonly importedAt: string;
        };
        readonly AuditEntry: {
            /**
             * Format: date-time
             * @description When the response was sent
             */
            readonly at: string;
            /** @description key:<name>, loopback for a request without a key, or unidentified if its key was not valid */
            readonly witness: string;
            /** @description The operationId of the request */
            readonly route: string;
            /** @description Id of the object that the request names */
            readonly objectId?: string;
            /** @description The instance of the object */
            readonly instance?: string;
            /** @description HTTP status of the response */
            readonly status: number;
            /** @description Error code of the response */
            readonly code?: string;
            /** @description X-Request-Id of the response */
            readonly requestId: string;
            /** @description The caller's IP address, as this server or the proxy on this machine saw it */
            readonly address?: string;
        };
        readonly AuditList: {
            readonly items: readonly components["schemas"]["AuditEntry"][];
            readonly cursor?: string;
        };
        /** @description Pauses the campaign when too many messages end as failed, no_account, or rejected by the gateway */
        readonly AutoPause: "off" | {
            /** @description The campaign is paused when more than this share of its newest outcomes failed. Default: 0.3 */
            readonly failureRate?: number;
            /** @description How many of the newest outcomes are evaluated. Default: 50 */
            readonly sampleSize?: number;
            /** @description Below this number of outcomes nothing is evaluated. Default: 20 */
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
        readonly BegunAmendment: {
            /** @description Version of the campaign's text. `shownVersion` of the report refers to it */
            readonly contentVersion: number;
            readonly text: string;
            readonly stop: boolean;
            /**
             * @description State of the amendment. `replaced`: a newer amendment took its place
             * @enum {string}
             */
            readonly state: "running" | "ended" | "replaced";
            /** Format: date-time */
            readonly begunAt: string;
            /** Format: date-time */
            readonly endedAt?: string;
            /** @description What the amendment could do for each recipient when it began */
            readonly before: components["schemas"]["AmendmentPlan"];
            /** @description What the recipients saw. The counts add up to the audience */
            readonly counts: {
                /** @description Recipients who saw an older text that now shows as the new one */
                readonly edited: number;
                /** @description Recipients whose edit is not posted or not confirmed yet */
                readonly pending: number;
                /** @description Recipients whose edit was posted without a sign of success or rejection */
                readonly unconfirmed: number;
                /** @description Recipients whose edit the gateway rejected */
                readonly refused: number;
                /** @description Recipients whose edit came more than 15 minutes after the message was sent */
                readonly tooLate: number;
                /** @description Recipients whose message was accepted with an older text and never seen sent */
                readonly notPossible: number;
                /** @description Recipients whose edit was replaced by a newer one */
                readonly superseded: number;
                /** @description Recipients who were sent only the new text */
                readonly newText: number;
                /** @description Recipients whose message was not posted yet */
                readonly unsent: number;
                /** @description Recipients whose own message was edited */
                readonly ownText: number;
                /** @description Recipients who ended without a sent message */
                readonly notSent: number;
                /** @description Recipients whose outcome could not be determined */
                readonly unresolved: number;
            };
            /** @description How the edits will end, computed again at each request. Only while edits are made */
            readonly expected?: {
                /** @description How many recipients will have been edited */
                readonly edited: number;
                /** @description How many of `counts.pending` will be too late: all turns before their limit are taken */
                readonly missed: number;
                /** @description How many edits were expected when the amendment began */
                readonly promised: number;
            };
        };
        readonly BegunMessage: {
            /** @description Id of the message */
            readonly id: string;
            /** @enum {string} */
            readonly state: "pending" | "sending" | "unknown" | "unresolved" | "accepted" | "sent" | "delivered" | "read" | "rejected" | "failed" | "no_account" | "expired" | "cancelled" | "suppressed" | "held_out";
            /** @description The instance that sends it */
            readonly instance: string;
            /** @description Kind of its content */
            readonly kind: string;
            /** @description Warnings about the content that do not prevent sending */
            readonly warnings?: readonly string[];
        };
        readonly Caller: {
            /** @description Witness in evidence and in the audit list: `key:<name>`, or `loopback` without a key */
            readonly name: string;
            /** @description Rights of the key */
            readonly scopes: readonly ("read" | "send" | "admin")[];
            /** @description Instances that the key may use. Absent: every instance */
            readonly instances?: readonly string[];
        };
        readonly Campaign: {
            /** @description Id of the campaign */
            readonly id: string;
            /** @description Increases with each change, so the response with the higher version is newer */
            readonly version: number;
            /** @description Sequence number of the newest command that took effect. 0 before the first one */
            readonly commandSequence: number;
            /** @description Display name */
            readonly name?: string;
            /** @description The instance that sends it, or the first one of `accounts` */
            readonly instance: string;
            /** @description The names of its accounts, if they are several */
            readonly instances?: readonly string[];
            /** @enum {string} */
            readonly state: "draft" | "scheduled" | "running" | "paused" | "cancelling" | "completed" | "completed_with_failures" | "cancelled" | "expired";
            /** @description Order of dispatch within the instance */
            readonly priority: string;
            /** @description Number of recipients */
            readonly audience: number;
            /** @description Recipients in each state. The counts add up to the audience */
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
                readonly held_out: number;
            };
            /** @description Recipients who replied to the message: who wrote within `repliesFor` after it, anything but an opt-out */
            readonly replied: number;
            /** @description Recipients who wrote a STOP, or what may be one, within `repliesFor` after the message */
            readonly optedOut: number;
            /** @description The campaign fills the gateway's queue up to this many items from all sources. Default: by priority */
            readonly highWater: number;
            /** @description Items in the gateway's queue from all sources, at the last reading */
            readonly depth?: number;
            /**
             * Format: date-time
             * @description When the queue was last read
             */
            readonly queueReadAt?: string;
            /** @description Milliseconds between two releases of the gateway's queue */
            readonly releaseIntervalMs?: number;
            /** @description Why a running campaign sends nothing at the moment */
            readonly waiting?: {
                /** @description Why it waits: a code of docs/errors.md, docs/campaigns.md or docs/troubleshooting.md */
                readonly code: string;
                /** Format: date-time */
                readonly since: string;
                readonly text?: string;
                /**
                 * Format: date-time
                 * @description When it ends, if only time decides
                 */
                readonly until?: string;
                /** @description A command that ends it, or shows what to do */
                readonly remedy?: string;
                /**
                 * Format: date-time
                 * @description When a worker estimated it, for what only a worker knows
                 */
                readonly asOf?: string;
            };
            /**
             * Format: date-time
             * @description Nothing is posted before this time
             */
            readonly startAt?: string;
            /**
             * Format: date-time
             * @description When the campaign was found to start later than its grace time
             */
            readonly startMissedAt?: string;
            /**
             * Format: date-time
             * @description When the campaign first ran
             */
            readonly startedAt?: string;
            /**
             * Format: date-time
             * @description When the campaign reached an end state
             */
            readonly endedAt?: string;
            /**
             * Format: date-time
             * @description No recipient is posted to after this time
             */
            readonly deadlineAt?: string;
            /** @description Timezone in which times are shown: of the campaign's windows, else of its instance, else UTC */
            readonly timezone: string;
            /** @description Recipients that were posted to, or ended without a post */
            readonly done: number;
            /** @description Percentage of the audience that is done, rounded down */
            readonly donePercent: number;
            /** @description Messages that leave the gateway's queue per minute, with one decimal below 10 */
            readonly perMinute?: number;
            /**
             * Format: date-time
             * @description When the last message leaves the gateway's queue, by the same forecast as the plan, if nothing else is sent. Never in the past
             */
            readonly etaAt?: string;
            /**
             * Format: date-time
             * @description When `etaAt` was computed
             */
            readonly asOf?: string;
            /** @description Recipients who are not posted to before the deadline, by the same forecast. They end expired */
            readonly willExpire?: number;
            /** @description Why a campaign that was started has no `etaAt`: `PAUSED`, `RATE_UNKNOWN`, `DEADLINE_TOO_SOON`, `FORECAST_LATER` in the response to a command for a campaign with more than 10,000 recipients left, or the code that it waits for */
            readonly etaUnknown?: string;
            readonly definition: components["schemas"]["CampaignDefinition"];
            /** @description The content that is sent now: that of the definition, unless it was changed. With variants, that of the winner, else of the first one */
            readonly content: {
                readonly [key: string]: unknown;
            };
            /** @description The variants with their current contents and results */
            readonly variants?: readonly {
                /** @description Shown in results and reports, e.g. A. At most 40 characters */
                readonly name: string;
                /** @description Share of the recipients who are not held out, e.g. 60%. All add up to 100 % */
                readonly share: string;
                readonly content: components["schemas"]["ContentTemplate"];
                readonly results: components["schemas"]["VariantResults"];
            }[];
            /** @description The variant that every recipient gets who was not posted to yet */
            readonly winner?: string;
            /** @description Share of the recipients who get nothing, and end `held_out` */
            readonly holdOut?: string;
            /** @description For each result a sentence: the shares of the variants, and whether the difference can be chance */
            readonly comparison?: readonly string[];
            /** @description Version of the content that is sent now */
            readonly contentVersion: number;
            /** @description The current sending windows. Absent: the campaign sends whenever its instance does */
            readonly sendingWindows?: components["schemas"]["SendingWindows"];
            /** @description The current limits */
            readonly limits?: components["schemas"]["CampaignLimits"];
            /** @description Its accounts, in their order; those that were removed come last */
            readonly accounts: readonly components["schemas"]["CampaignAccount"][];
            /**
             * Format: date-time
             * @description When the campaign was created
             */
            readonly createdAt: string;
            /**
             * Format: date-time
             * @description When the campaign was cancelled
             */
            readonly cancelRequestedAt?: string;
            /**
             * Format: date-time
             * @description When its recipients and messages were removed because of their age. The counts remain
             */
            readonly recipientsRemovedAt?: string;
            /** @description Absent until the first import has ended */
            readonly imported?: components["schemas"]["Audience"];
            /** @description An import that is running, or was interrupted */
            readonly importing?: {
                readonly lines: number;
                /** Format: date-time */
                readonly begunAt: string;
            };
            /** @description The latest 20 commands, oldest first. Absent in lists */
            readonly commands?: readonly {
                readonly kind: string;
                /** @description Names of the changed fields, or everpost's own reason */
                readonly what?: string;
                /** Format: date-time */
                readonly askedAt: string;
                /**
                 * Format: date-time
                 * @description When the command took effect. Absent if it was refused
                 */
                readonly begunAt?: string;
                /** @description Who requested the command: key:<name>, loopback, schedule:<id>, temporal or everpost */
                readonly requestedBy: string;
            }[];
        };
        readonly CampaignAccount: {
            /** @description Name of the account */
            readonly instance: string;
            /** @description Its recipients in each state. Recipients that have no account yet are pending in the counts of the campaign only */
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
                readonly held_out: number;
            };
            /** @description Messages that leave its gateway's queue per minute */
            readonly perMinute?: number;
            /** @description Why it sends nothing at the moment */
            readonly waiting?: {
                /** @description Why it waits: a code of docs/errors.md, docs/campaigns.md or docs/troubleshooting.md */
                readonly code: string;
                /** Format: date-time */
                readonly since: string;
                readonly text?: string;
                /**
                 * Format: date-time
                 * @description When it ends, if only time decides
                 */
                readonly until?: string;
                /** @description A command that ends it, or shows what to do */
                readonly remedy?: string;
                /**
                 * Format: date-time
                 * @description When a worker estimated it, for what only a worker knows
                 */
                readonly asOf?: string;
            };
            /**
             * Format: date-time
             * @description It gets no messages of the campaign since then
             */
            readonly outSince?: string;
            /**
             * @description Why it gets none. `removed` from the list of the campaign; `not_configured` in the instances file; `cannot_send` for longer than `moveAfter`; `too_many_failures`: stopped by the automatic pause
             * @enum {string}
             */
            readonly outWhy?: "removed" | "not_configured" | "cannot_send" | "too_many_failures";
            readonly outText?: string;
        };
        readonly CampaignDefinition: {
            /** @description Display name in lists, reports and Temporal's Web UI. One line of at most 200 characters */
            readonly name?: string;
            /** @description Name of the configured instance. Replaced by `instances` */
            readonly instance?: string;
            /** @description Names of the configured instances that share the recipients */
            readonly instances?: readonly string[];
            /**
             * @description `preferred`: a recipient gets the account of `instances` that talked with him last, and another one if it cannot send for longer than `moveAfter`. `required`: messages never move from an account that cannot send. Default: preferred
             * @enum {string}
             */
            readonly stickySender?: "preferred" | "required";
            /** @description How long after the last message an account stays the sender of a recipient. Default: 180d */
            readonly stickyFor?: string;
            /** @description How long an account cannot send before its pending messages move to another one. Default: 10m */
            readonly moveAfter?: string;
            readonly content?: components["schemas"]["ContentTemplate"];
            /** @description Contents that different recipients get, in place of `content`. A hash of the recipient decides: a campaign with the same names and shares gives the same recipients the same variant */
            readonly variants?: readonly components["schemas"]["CampaignVariant"][];
            /** @description Share of the recipients who get nothing and end `held_out`. It is taken first, by a hash of the recipient: a campaign with the same share holds out the same recipients. Default: none */
            readonly holdOut?: string;
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
             * @description What happens when it cannot be determined whether the gateway accepted a message. Default: manual
             * @enum {string}
             */
            readonly onUnknown?: "manual" | "auto";
            /** @description The campaign fills the gateway's queue up to this many items from all sources. Default: by priority */
            readonly highWater?: number;
            /**
             * Format: date-time
             * @description A started campaign posts nothing before this time. Default: at once
             */
            readonly startAt?: string;
            /**
             * @description What happens when the campaign starts later than its grace time. `run`: it starts. `skip`: it is cancelled. `hold`: it waits until an operator resumes it. Default: hold; skip for the message of a schedule
             * @enum {string}
             */
            readonly missedStart?: "run" | "skip" | "hold";
            /** @description How late a start may be before it counts as missed. Default: 1h */
            readonly graceTime?: string;
            /**
             * Format: date-time
             * @description No recipient is posted to after this time. Default: seven days after the start
             */
            readonly deadline?: string;
            /** @description Country of phone numbers without + or 00. Default: they are read as international numbers */
            readonly defaultCountry?: string;
            /** @description True starts the campaign although more than 5 % of the lines of its recipients were rejected. Default: false */
            readonly acceptRejected?: boolean;
            readonly autoPause?: components["schemas"]["AutoPause"];
            /** @description When the campaign sends. Default: whenever its instance does */
            readonly sendingWindows?: components["schemas"]["SendingWindows"];
            readonly limits?: components["schemas"]["CampaignLimits"];
            /** @description How long the gateway shows typing before it sends each text, poll, file or forward, 1s to 20s. Default: not shown */
            readonly typing?: string;
            /** @description Timezone of recipients without their own, if `sendingWindows` use the recipients' clocks. Default: they are rejected */
            readonly defaultTimezone?: string;
            /** @description For how long after the campaign's message an incoming message of its recipient counts as a reply, or as an opt-out. Default: 72h */
            readonly repliesFor?: string;
            /** @description A text of yours that responses repeat */
            readonly reference?: string;
        };
        readonly CampaignLimits: {
            /** @description The most messages in a day. Default: no limit */
            readonly perDay?: number;
            /** @description A random pause after each message, between both limits */
            readonly jitter?: {
                readonly minMs: number;
                readonly maxMs: number;
                /** @description Text that decides the random pauses. Default: the campaign's id */
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
            /** @description The accounts, if they are several */
            readonly instances?: readonly string[];
            /** @enum {string} */
            readonly state: "draft" | "scheduled" | "running" | "paused" | "cancelling" | "completed" | "completed_with_failures" | "cancelled" | "expired";
            readonly audience: number;
            readonly imported?: components["schemas"]["Audience"];
            /** @description Variables that are no column of the recipients. The campaign does not start */
            readonly unknown: readonly {
                readonly path: string;
                readonly message: string;
            }[];
            /** @description Variables without a fallback for which a recipient has no value. The campaign does not start */
            readonly missing: readonly {
                readonly variable: string;
                readonly recipients: number;
                readonly firstLine: number;
            }[];
            /** @description Recipients whose message the gateway would reject. They end rejected */
            readonly refused: {
                readonly recipients: number;
                readonly firstLine?: number;
                readonly problems: readonly {
                    readonly path: string;
                    readonly message: string;
                }[];
            };
            /** @description Recipients that the campaign leaves out by `holdOut`. They end held_out */
            readonly heldOut: {
                readonly recipients: number;
                readonly firstLine?: number;
            };
            /** @description Recipients on the suppression list. They end suppressed unless they are removed from the list before */
            readonly suppressed: {
                readonly recipients: number;
                readonly firstLine?: number;
            };
            /** @description Recipients who have reached the instance's frequencyCap for marketing messages. They end suppressed */
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
                /** @description The variant of the campaign's content that it is */
                readonly variant?: string;
                /** @description True if the recipient is left out by `holdOut` */
                readonly heldOut?: boolean;
                /**
                 * @description For a recipient who was posted to: which text the recipient has. `own`: the message was edited by itself
                 * @enum {string}
                 */
                readonly posted?: "current" | "former" | "own";
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
                 * @description When the last message leaves the gateway's queue, if nothing is added to what campaigns of the accounts have now. Absent if none is posted
                 */
                readonly finishesAt?: string;
                /** @description Time from the start to `lastLeavesAt` */
                readonly durationSeconds: number;
                /** @description What each account carries */
                readonly accounts: readonly {
                    readonly instance: string;
                    /** @description How many recipients it posts to */
                    readonly recipients: number;
                    readonly releaseIntervalMs: number;
                    /** @enum {string} */
                    readonly intervalFrom: "learned" | "settings" | "assumed";
                }[];
                /** @description When the last message would leave with one more account like the fastest one */
                readonly withOneMore?: {
                    /** Format: date-time */
                    readonly finishesAt: string;
                };
                /** @description Recipients who are not posted to before the deadline. They end expired */
                readonly notPosted: number;
                /** @description Timezone of the rows */
                readonly timezone: string;
                /** @enum {string} */
                readonly by: "minute" | "hour" | "day";
                /** @description Periods in which a message is posted or leaves the queue */
                readonly rows: readonly {
                    /** Format: date-time */
                    readonly from: string;
                    /** Format: date-time */
                    readonly until: string;
                    readonly posted: number;
                    /** @description Messages that leave the gateway's queue */
                    readonly left: number;
                }[];
                /** @description Times without posts, and why */
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
            /** @description Id of the campaign */
            readonly id: string;
            /** @description Increases with each change, so the response with the higher version is newer */
            readonly version: number;
            /** @description Sequence number of the newest command that took effect. 0 before the first one */
            readonly commandSequence: number;
            /** @description Display name */
            readonly name?: string;
            /** @description The instance that sends it, or the first one of `accounts` */
            readonly instance: string;
            /** @description The names of its accounts, if they are several */
            readonly instances?: readonly string[];
            /** @enum {string} */
            readonly state: "draft" | "scheduled" | "running" | "paused" | "cancelling" | "completed" | "completed_with_failures" | "cancelled" | "expired";
            /** @description Order of dispatch within the instance */
            readonly priority: string;
            /** @description Number of recipients */
            readonly audience: number;
            /** @description Recipients in each state. The counts add up to the audience */
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
                readonly held_out: number;
            };
            /** @description Recipients who replied to the message: who wrote within `repliesFor` after it, anything but an opt-out */
            readonly replied: number;
            /** @description Recipients who wrote a STOP, or what may be one, within `repliesFor` after the message */
            readonly optedOut: number;
            /** @description The campaign fills the gateway's queue up to this many items from all sources. Default: by priority */
            readonly highWater: number;
            /** @description Items in the gateway's queue from all sources, at the last reading */
            readonly depth?: number;
            /**
             * Format: date-time
             * @description When the queue was last read
             */
            readonly queueReadAt?: string;
            /** @description Milliseconds between two releases of the gateway's queue */
            readonly releaseIntervalMs?: number;
            /** @description Why a running campaign sends nothing at the moment */
            readonly waiting?: {
                /** @description Why it waits: a code of docs/errors.md, docs/campaigns.md or docs/troubleshooting.md */
                readonly code: string;
                /** Format: date-time */
                readonly since: string;
                readonly text?: string;
                /**
                 * Format: date-time
                 * @description When it ends, if only time decides
                 */
                readonly until?: string;
                /** @description A command that ends it, or shows what to do */
                readonly remedy?: string;
                /**
                 * Format: date-time
                 * @description When a worker estimated it, for what only a worker knows
                 */
                readonly asOf?: string;
            };
            /**
             * Format: date-time
             * @description Nothing is posted before this time
             */
            readonly startAt?: string;
            /**
             * Format: date-time
             * @description When the campaign was found to start later than its grace time
             */
            readonly startMissedAt?: string;
            /**
             * Format: date-time
             * @description When the campaign first ran
             */
            readonly startedAt?: string;
            /**
             * Format: date-time
             * @description When the campaign reached an end state
             */
            readonly endedAt?: string;
            /**
             * Format: date-time
             * @description No recipient is posted to after this time
             */
            readonly deadlineAt?: string;
            /** @description Timezone in which times are shown: of the campaign's windows, else of its instance, else UTC */
            readonly timezone: string;
            /** @description Recipients that were posted to, or ended without a post */
            readonly done: number;
            /** @description Percentage of the audience that is done, rounded down */
            readonly donePercent: number;
            /** @description Messages that leave the gateway's queue per minute, with one decimal below 10 */
            readonly perMinute?: number;
            /**
             * Format: date-time
             * @description When the last message leaves the gateway's queue, by the same forecast as the plan, if nothing else is sent. Never in the past
             */
            readonly etaAt?: string;
            /**
             * Format: date-time
             * @description When `etaAt` was computed
             */
            readonly asOf?: string;
            /** @description Recipients who are not posted to before the deadline, by the same forecast. They end expired */
            readonly willExpire?: number;
            /** @description Why a campaign that was started has no `etaAt`: `PAUSED`, `RATE_UNKNOWN`, `DEADLINE_TOO_SOON`, `FORECAST_LATER` in the response to a command for a campaign with more than 10,000 recipients left, or the code that it waits for */
            readonly etaUnknown?: string;
        };
        readonly CampaignResponse: {
            readonly progress: components["schemas"]["CampaignProgress"];
            /** @description Messages that the gateway has accepted and, as far as known, not sent yet. The gateway still sends them */
            readonly inGatewayQueue: number;
        };
        readonly CampaignSummary: {
            /** @description Id of the campaign */
            readonly id: string;
            /** @description The instance that sends it, or the first one of its accounts */
            readonly instance: string;
            /**
             * Format: date-time
             * @description When it was counted. Absent while the first count runs: ask again
             */
            readonly asOf?: string;
            /** @description How many recipients are in each state, for each reason */
            readonly outcomes: readonly {
                /** @enum {string} */
                readonly state: "pending" | "sending" | "unknown" | "unresolved" | "accepted" | "sent" | "delivered" | "read" | "rejected" | "failed" | "no_account" | "expired" | "cancelled" | "suppressed" | "held_out";
                readonly reason?: string;
                /** @description The reason in words */
                readonly title: string;
                readonly recipients: number;
            }[];
            /** @description What happened to how many messages, from the first event to the last one. `failed`: they were rejected, not delivered, or have no account */
            readonly periods: readonly {
                /** Format: date-time */
                readonly from: string;
                /** Format: date-time */
                readonly until: string;
                readonly accepted: number;
                readonly sent: number;
                readonly delivered: number;
                readonly read: number;
                readonly failed: number;
            }[];
        };
        readonly CampaignVariant: {
            /** @description Shown in results and reports, e.g. A. At most 40 characters */
            readonly name: string;
            /** @description Share of the recipients who are not held out, e.g. 60%. All add up to 100 % */
            readonly share: string;
            readonly content: components["schemas"]["ContentTemplate"];
        };
        readonly Cancellation: {
            readonly id: string;
            /** @description True if the message will surely never be posted */
            readonly cancelled: boolean;
            /** @enum {string} */
            readonly state: "pending" | "sending" | "unknown" | "unresolved" | "accepted" | "sent" | "delivered" | "read" | "rejected" | "failed" | "no_account" | "expired" | "cancelled" | "suppressed" | "held_out";
        };
        readonly Chat: {
            /** @description The account to which the contact wrote */
            readonly instance: string;
            /** @description The chat in which the last message arrived */
            readonly chatId: string;
            /**
             * Format: date-time
             * @description When the last message arrived, by our clock
             */
            readonly arrivedAt: string;
            /** @description Whether an operator has not read it. The phone has a mark of its own */
            readonly unread: boolean;
            /** @description The last message. Absent once its notification was deleted */
            readonly last?: {
                /**
                 * @description `edit`, `deletion` and `reaction` refer to an earlier message, `call` is a call or its end
                 * @enum {string}
                 */
                readonly what: "message" | "edit" | "deletion" | "reaction" | "call";
                /** @description The gateway's id */
                readonly idMessage?: string;
                /** @description The gateway's `typeMessage`; of a call its `status` */
                readonly type?: string;
                /** @description What was typed or chosen; of a reaction, the emoji */
                readonly text?: string;
                /** @description How the sender calls themselves. Not verified */
                readonly name?: string;
                /** @description Name of the file */
                readonly fileName?: string;
                /** @description The gateway's link to the file */
                readonly fileUrl?: string;
                /** @description The gateway's id of the message that it refers to or quotes */
                readonly refersTo?: string;
            };
            /** @description An open possible opt-out of the contact */
            readonly possibleOptOut?: components["schemas"]["PossibleOptOut"];
        };
        readonly ChatList: {
            readonly items: readonly components["schemas"]["Chat"][];
            readonly cursor?: string;
        };
        readonly ChatMark: {
            readonly instance: string;
            readonly chatId: string;
            readonly unread: boolean;
        };
        readonly CheckedRecipients: {
            /** @description Non-empty lines of the source, without its header */
            readonly lines: number;
            /** @description Lines by verdict. The counts add up to `lines` */
            readonly verdicts: {
                readonly accepted: number;
                readonly duplicate: number;
                readonly bad_number: number;
                readonly several_numbers: number;
                readonly lost_in_spreadsheet: number;
                readonly country_unclear: number;
                readonly country_missing: number;
                readonly number_missing: number;
                readonly not_allowed: number;
                readonly unreadable: number;
                readonly bad_value: number;
                readonly lid_only: number;
                readonly own_account: number;
                readonly timezone_unknown: number;
            };
            /** @description Lines that should be recipients and are not: neither accepted nor a duplicate */
            readonly rejected: number;
            /** @description What to do about each verdict that occurred */
            readonly remedies: readonly {
                /** @enum {string} */
                readonly verdict: "duplicate" | "bad_number" | "several_numbers" | "lost_in_spreadsheet" | "country_unclear" | "country_missing" | "number_missing" | "not_allowed" | "unreadable" | "bad_value" | "lid_only" | "own_account" | "timezone_unknown";
                readonly lines: number;
                readonly remedy: string;
            }[];
            readonly source: components["schemas"]["ListFacts"];
            /** @description The columns with a name, in the order of the file */
            readonly columns: readonly {
                readonly name: string;
                /** @description True for the column with the number */
                readonly phone: boolean;
                /** @description Its values in the first rows */
                readonly samples: readonly string[];
            }[];
            /** @description The variables of the campaign's content */
            readonly variables: readonly {
                readonly name: string;
                /** @description True if it has no fallback */
                readonly required: boolean;
                /** @description Recipients without a value. Absent if the file cannot be imported */
                readonly without?: number;
                /** @description The first line without a value */
                readonly firstLine?: number;
            }[];
            /** @description Why an import would refuse the file. Empty if it would not */
            readonly problems: readonly {
                readonly path: string;
                readonly message: string;
            }[];
        };
        readonly ContactContent: {
            /** @constant */
            readonly kind: "contact";
            readonly contact: {
                /** @description The digits of an international phone number, as a number: 15551234567 */
                readonly phoneContact: number;
                readonly firstName?: string;
                readonly middleName?: string;
                readonly lastName?: string;
                readonly company?: string;
            };
            /** @description The gateway's id of the message to quote */
            readonly quotedMessageId?: string;
        };
        /** @description Content of a message. Each text may contain {{variable}} or {{variable|fallback}}: the variables are the columns of the recipients' file */
        readonly ContentTemplate: {
            /** @enum {string} */
            readonly kind: "text" | "file" | "poll" | "location" | "contact" | "forward" | "template";
        } & {
            readonly [key: string]: unknown;
        };
        readonly DailyWindow: {
            /** @description Days on which the window begins. Default: every day */
            readonly days?: readonly ("mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun")[];
            /** @description Begin of the window, inclusive */
            readonly from: string;
            /** @description End of the window, exclusive. If it is not later than `from`, the window ends on the next day */
            readonly until: string;
        };
        readonly Edit: {
            /** @description Id of the edit */
            readonly id: string;
            /** @enum {string} */
            readonly state: "pending" | "sending" | "posted" | "edited" | "too_late" | "refused" | "unconfirmed" | "superseded" | "not_possible";
            /**
             * @description `before_send`: the text was replaced before the message was posted. `gateway`: the sent message was edited
             * @enum {string}
             */
            readonly via?: "before_send" | "gateway";
            /** @description The complete new text. Of a sensitive message: `••••` */
            readonly text?: string;
            /** @description Characters of a text that is not shown */
            readonly textLength?: number;
            /**
             * Format: date-time
             * @description When the edit was requested
             */
            readonly requestedAt?: string;
            /**
             * Format: date-time
             * @description When the gateway accepted the edit
             */
            readonly postedAt?: string;
            /**
             * Format: date-time
             * @description When the edit reached an end state
             */
            readonly endedAt?: string;
            /** @description The gateway's id of the edited message */
            readonly idMessageGiven?: string;
            /** @description The id in the gateway's response to the edit */
            readonly idMessageReturned?: string;
            /** @description Stable word for why the edit ended in this state */
            readonly reason?: string;
            /** @description Id of the message */
            readonly messageId: string;
            /**
             * @description The edit has ended. Its state shows the outcome
             * @enum {string}
             */
            readonly outcome?: "pending" | "sending" | "posted" | "edited" | "too_late" | "refused" | "unconfirmed" | "superseded" | "not_possible";
        };
        readonly EditRequest: {
            /** @description The complete new text, at most 20,000 characters */
            readonly text: string;
        };
        readonly EndpointDelivery: {
            /** @description Id of the event */
            readonly event: string;
            /** @description The instance of the event */
            readonly instance: string;
            /** @description Its type */
            readonly type: string;
            /**
             * Format: date-time
             * @description When it happened
             */
            readonly timestamp: string;
            /** @description Number of tries */
            readonly tries: number;
            /** @description Why the last try failed */
            readonly problem?: string;
            /**
             * Format: date-time
             * @description When the next try is due
             */
            readonly nextTryAt?: string;
            /**
             * Format: date-time
             * @description When the delivery was set aside
             */
            readonly givenUpAt?: string;
        };
        readonly EndpointDeliveryList: {
            readonly items: readonly components["schemas"]["EndpointDelivery"][];
            readonly cursor?: string;
        };
        readonly Erasure: {
            /** @description Id of the erasure */
            readonly id: string;
            /**
             * @description `pending`: work in flight has to end first, or rows remain
             * @enum {string}
             */
            readonly state: "pending" | "done";
            /** @description The requester: key:<name> or loopback */
            readonly requestedBy: string;
            /**
             * Format: date-time
             * @description When the erasure was requested
             */
            readonly requestedAt: string;
            /**
             * Format: date-time
             * @description When the erasure ended
             */
            readonly endedAt?: string;
            /** @description Keyed hashes of the chat, by which this ledger recognizes an erased chat. The number is not stored */
            readonly chatHashes: readonly string[];
            /** @description How many rows of each table were erased */
            readonly rows: {
                readonly [key: string]: number;
            };
            /** @description What has to end first: how many messages, edits and notifications */
            readonly waiting: {
                readonly [key: string]: number;
            };
            /** @description Rows that still contain the number, by table: texts of others that are still to be sent or that a retry may send, URLs and names. At most 20 ids each. Request the erasure again once they have ended */
            readonly kept: {
                readonly [key: string]: {
                    readonly count: number;
                    readonly ids: readonly string[];
                };
            };
            /** @description What no erasure reaches */
            readonly notReached: readonly string[];
        };
        readonly Event: {
            readonly id: string;
            /** @enum {string} */
            readonly type: "message.received" | "reaction.received" | "call.received" | "notification.received" | "message.state_changed" | "message.unresolved" | "edit.ended" | "campaign.state_changed" | "campaign.replied" | "schedule.failed" | "template.reviewed" | "instance.state_changed" | "instance.queue_standstill" | "ledger.went_back" | "suppression.possible" | "endpoint.test";
            /** Format: date-time */
            readonly timestamp: string;
            readonly instance: string;
            /** @description The unchanged body of a notification, or the data of everpost's own event */
            readonly data: unknown;
        };
        readonly EventDelivery: {
            /** @description The endpoint */
            readonly endpointId: string;
            /** @description Number of tries */
            readonly tries: number;
            /**
             * Format: date-time
             * @description When the endpoint accepted the event
             */
            readonly deliveredAt?: string;
            /**
             * Format: date-time
             * @description When the delivery was set aside
             */
            readonly givenUpAt?: string;
            /** @description Why the last try failed */
            readonly problem?: string;
            /**
             * Format: date-time
             * @description When the next try is due
             */
            readonly nextTryAt?: string;
        };
        readonly EventEndpoint: {
            /** @description Id of the endpoint */
            readonly id: string;
            /** @description The instance whose events it gets */
            readonly instance: string;
            /** @description URL to which events are posted. Absent: events are only stored */
            readonly url?: string;
            /** @description Event types, or `*` */
            readonly events: readonly string[];
            /** @description True if it gets every notification of the gateway unchanged, and nothing else */
            readonly raw: boolean;
            /** @description The text of the request */
            readonly description?: string;
            /** @description True if deliveries have an Authorization header */
            readonly hasAuthorization: boolean;
            /** @description False while deliveries are stopped */
            readonly enabled: boolean;
            /** @description `operator`, or the response of the endpoint: `HTTP 410` */
            readonly disabledReason?: string;
            /**
             * Format: date-time
             * @description When deliveries were stopped
             */
            readonly disabledAt?: string;
            /**
             * Format: date-time
             * @description When the endpoint was created
             */
            readonly createdAt: string;
            /**
             * Format: date-time
             * @description Until when former secrets also sign
             */
            readonly formerSecretsUntil?: string;
            /** @description Deliveries that have not ended, counted up to 10000 */
            readonly waiting: number;
            /**
             * Format: date-time
             * @description Since when the oldest of them waits
             */
            readonly waitingSince?: string;
            /** @description Why its last try failed */
            readonly problem?: string;
            /** @description Why nothing can be delivered: the encryption key of the secret or of the header is missing */
            readonly secretsProblem?: string;
            /** @description Deliveries that were set aside after three days, counted up to 10000. A replay delivers them again */
            readonly failed: number;
        };
        readonly EventEndpointChange: {
            /**
             * Format: uri
             * @description URL to which events are posted. Absent: events are only stored, and can be listed
             */
            readonly url?: string;
            /** @description Event types, or * for all: message.received, reaction.received, call.received, notification.received, message.state_changed, message.unresolved, edit.ended, campaign.state_changed, campaign.replied, schedule.failed, template.reviewed, instance.state_changed, instance.queue_standstill, ledger.went_back, suppression.possible, endpoint.test. Default: all */
            readonly events?: readonly string[];
            readonly description?: string | null;
            readonly authorization?: string | null;
            /** @description False stops deliveries, true resumes them */
            readonly enabled?: boolean;
        };
        readonly EventEndpointWithSecret: {
            /** @description Id of the endpoint */
            readonly id: string;
            /** @description The instance whose events it gets */
            readonly instance: string;
            /** @description URL to which events are posted. Absent: events are only stored */
            readonly url?: string;
            /** @description Event types, or `*` */
            readonly events: readonly string[];
            /** @description True if it gets every notification of the gateway unchanged, and nothing else */
            readonly raw: boolean;
            /** @description The text of the request */
            readonly description?: string;
            /** @description True if deliveries have an Authorization header */
            readonly hasAuthorization: boolean;
            /** @description False while deliveries are stopped */
            readonly enabled: boolean;
            /** @description `operator`, or the response of the endpoint: `HTTP 410` */
            readonly disabledReason?: string;
            /**
             * Format: date-time
             * @description When deliveries were stopped
             */
            readonly disabledAt?: string;
            /**
             * Format: date-time
             * @description When the endpoint was created
             */
            readonly createdAt: string;
            /**
             * Format: date-time
             * @description Until when former secrets also sign
             */
            readonly formerSecretsUntil?: string;
            /** @description Deliveries that have not ended, counted up to 10000 */
            readonly waiting: number;
            /**
             * Format: date-time
             * @description Since when the oldest of them waits
             */
            readonly waitingSince?: string;
            /** @description Why its last try failed */
            readonly problem?: string;
            /** @description Why nothing can be delivered: the encryption key of the secret or of the header is missing */
            readonly secretsProblem?: string;
            /** @description Deliveries that were set aside after three days, counted up to 10000. A replay delivers them again */
            readonly failed: number;
            /** @description The key that signs deliveries, shown only once. Absent if the same request had created the endpoint before */
            readonly secret?: string;
        };
        readonly EventList: {
            readonly items: readonly components["schemas"]["Event"][];
            readonly cursor: string;
        };
        readonly EventReplay: {
            /** @description Id of one event */
            readonly event?: string;
            /**
             * Format: date-time
             * @description Events from this time on
             */
            readonly from?: string;
            /**
             * Format: date-time
             * @description Events before this time. Default: now
             */
            readonly to?: string;
        };
        readonly EventWithDeliveries: {
            readonly id: string;
            /** @enum {string} */
            readonly type: "message.received" | "reaction.received" | "call.received" | "notification.received" | "message.state_changed" | "message.unresolved" | "edit.ended" | "campaign.state_changed" | "campaign.replied" | "schedule.failed" | "template.reviewed" | "instance.state_changed" | "instance.queue_standstill" | "ledger.went_back" | "suppression.possible" | "endpoint.test";
            /** Format: date-time */
            readonly timestamp: string;
            readonly instance: string;
            /** @description The unchanged body of a notification, or the data of everpost's own event */
            readonly data: unknown;
            readonly deliveries: readonly components["schemas"]["EventDelivery"][];
        };
        readonly FileContent: {
            /** @constant */
            readonly kind: "file";
            /** @description http or https URL that is given to the gateway unchanged */
            readonly url?: string;
            /** @description Id of a file that was stored by POST /v1/files. Replaces `url` */
            readonly fileId?: string;
            /** @description Name of the file. Its extension decides how the file is shown */
            readonly fileName: string;
            /** @description At most 20,000 characters */
            readonly caption?: string;
            /** @description The gateway's id of the message to quote */
            readonly quotedMessageId?: string;
            /** @description Seconds, 1 to 20 */
            readonly typingTime?: number;
            /**
             * @description Shows a recording in place of typing
             * @constant
             */
            readonly typingType?: "recording";
        };
        readonly Finding: {
            /**
             * @description `advice`: it works, but can be improved. `unknown`: it could not be checked
             * @enum {string}
             */
            readonly verdict: "ok" | "advice" | "broken" | "unknown";
            /** @description The checked part, e.g. `temporal` or `instance main` */
            readonly subject: string;
            /** @description Whose finding it is. Absent: of the whole installation */
            readonly instance?: string;
            /** @description What was found */
            readonly found: string;
            /** @description What an operator can do */
            readonly remedy?: string;
            /** @description True if `everpost doctor --fix` corrects it */
            readonly isFixable?: boolean;
            /**
             * Format: date-time
             * @description When it was found
             */
            readonly at: string;
        };
        readonly ForwardContent: {
            /** @constant */
            readonly kind: "forward";
            /** @description Phone number or chat id of the chat that has the message to forward */
            readonly chatIdFrom: string;
            /** @description The gateway's id of the message to forward. Exactly one */
            readonly messages: readonly string[];
            /** @description Milliseconds, 1,000 to 20,000 */
            readonly typingTime?: number;
        };
        readonly GivenPayloads: {
            /** @description Temporal's payloads in Temporal's JSON format: bytes are base64 */
            readonly payloads: readonly {
                readonly metadata?: {
                    readonly [key: string]: string;
                };
                readonly data?: string;
            }[];
        };
        readonly GroupRecipients: {
            /** @description The group's chat id. Its participants become the audience */
            readonly group: string;
        };
        readonly GroupSnapshot: {
            /** @description The instance that is in the group */
            readonly instance: string;
            /** @description Chat id of the group */
            readonly groupId: string;
            /**
             * Format: date-time
             * @description When the group was first seen with this data
             */
            readonly takenAt: string;
            /**
             * Format: date-time
             * @description When the group was last seen with this data
             */
            readonly seenUntil: string;
            /** @description The group's fields under the gateway's names */
            readonly fields: {
                readonly [key: string]: string | number | boolean;
            };
            /** @description The members of the group */
            readonly participants: readonly {
                readonly id: string;
                readonly isAdmin: boolean;
            }[];
            /** @description The changes since the previous snapshot. Absent for the first one */
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
            /** @description Non-empty lines of the source, without its header */
            readonly lines: number;
            /** @description Lines by verdict. The counts add up to `lines` */
            readonly verdicts: {
                readonly accepted: number;
                readonly duplicate: number;
                readonly bad_number: number;
                readonly several_numbers: number;
                readonly lost_in_spreadsheet: number;
                readonly country_unclear: number;
                readonly country_missing: number;
                readonly number_missing: number;
                readonly not_allowed: number;
                readonly unreadable: number;
                readonly bad_value: number;
                readonly lid_only: number;
                readonly own_account: number;
                readonly timezone_unknown: number;
            };
            /** @description Lines that should be recipients and are not: neither accepted nor a duplicate */
            readonly rejected: number;
            /** @description What to do about each verdict that occurred */
            readonly remedies: readonly {
                /** @enum {string} */
                readonly verdict: "duplicate" | "bad_number" | "several_numbers" | "lost_in_spreadsheet" | "country_unclear" | "country_missing" | "number_missing" | "not_allowed" | "unreadable" | "bad_value" | "lid_only" | "own_account" | "timezone_unknown";
                readonly lines: number;
                readonly remedy: string;
            }[];
            /** @description How many sources were added to the first one */
            readonly additions: number;
            /** Format: date-time */
            readonly importedAt: string;
            /** @description True if the campaign already had the same audience */
            readonly unchanged: boolean;
            /** @description Only of the source that was added; `lines` and `verdicts` beside it are those of the whole audience */
            readonly added?: {
                readonly lines: number;
                /** @description Lines by verdict. The counts add up to `lines` */
                readonly verdicts: {
                    readonly accepted: number;
                    readonly duplicate: number;
                    readonly bad_number: number;
                    readonly several_numbers: number;
                    readonly lost_in_spreadsheet: number;
                    readonly country_unclear: number;
                    readonly country_missing: number;
                    readonly number_missing: number;
                    readonly not_allowed: number;
                    readonly unreadable: number;
                    readonly bad_value: number;
                    readonly lid_only: number;
                    readonly own_account: number;
                    readonly timezone_unknown: number;
                };
            };
            /** @description How the file was read. Empty for a group */
            readonly source: components["schemas"]["ListFacts"];
        };
        readonly ImportedSuppressions: {
            /** @description Non-empty lines, without a header */
            readonly lines: number;
            /** @description Lines by verdict. The counts add up to `lines` */
            readonly verdicts: {
                readonly added: number;
                readonly already: number;
                readonly bad_number: number;
                readonly several_numbers: number;
                readonly lost_in_spreadsheet: number;
                readonly country_missing: number;
                readonly country_unclear: number;
                readonly number_missing: number;
                readonly unreadable: number;
                readonly bad_value: number;
            };
            /** @description What to do about each verdict that occurred */
            readonly remedies: readonly {
                /** @enum {string} */
                readonly verdict: "duplicate" | "bad_number" | "several_numbers" | "lost_in_spreadsheet" | "country_unclear" | "country_missing" | "number_missing" | "not_allowed" | "unreadable" | "bad_value" | "lid_only" | "own_account" | "timezone_unknown";
                readonly lines: number;
                readonly remedy: string;
            }[];
            /** @description The first 10,000 lines that did not become an entry */
            readonly rejects: readonly {
                readonly line: number;
                readonly reason: string;
                readonly value: string;
            }[];
            /** @description How the file was read */
            readonly source: components["schemas"]["ListFacts"];
        };
        readonly Instance: {
            /** @description Name of the instance in the configuration */
            readonly name: string;
            /** @description The gateway's id of the instance */
            readonly idInstance: string;
            /** @description The gateway's address */
            readonly baseUrl: string;
            /** @description Host for uploads, if the gateway has a separate one */
            readonly mediaUrl?: string;
            /** @description Operations that the instance supports. Absent: all */
            readonly capabilities?: readonly string[];
            /** @description True if messages may be sent only to the allowedRecipients of the configuration */
            readonly restricted: boolean;
            /** @description True if notifications need a token */
            readonly webhookAuthorization: boolean;
            /**
             * @description `push`: the gateway pushes notifications. `poll`: a worker polls them
             * @enum {string}
             */
            readonly notifications: "push" | "poll";
            /**
             * @description `always`: each message has a workflow. `on_demand`: only messages that need one
             * @enum {string}
             */
            readonly messageWorkflows: "always" | "on_demand";
            /** @description The gateway's name of the state, e.g. authorized. Absent until it is known */
            readonly state?: string;
            /**
             * Format: date-time
             * @description Since when the account is known to be in this state
             */
            readonly stateSince?: string;
            /**
             * Format: date-time
             * @description When the account was last seen in this state
             */
            readonly stateSeenAt?: string;
            /** @description The gateway's connection to the network, by the gateway's name, e.g. online. Pauses nothing */
            readonly connection?: {
                readonly status: string;
                /** Format: date-time */
                readonly since: string;
            };
            /** @description Why nothing is sent. Empty if the instance is not paused */
            readonly pauses: readonly {
                /** @enum {string} */
                readonly reason: "yellowCard" | "blocked" | "suspended" | "operator";
                /**
                 * Format: date-time
                 * @description When the account was first seen in this state, or the operator paused the instance
                 */
                readonly since: string;
                /** @description Source of the pause: a notification, getStateInstance, or an operator */
                readonly witness: string;
                /**
                 * @description `operator`: an operator resumes the instance. `authorized`: the pause ends once the account is authorized
                 * @enum {string}
                 */
                readonly resumedBy: "operator" | "authorized";
            }[];
            /** @description The gateway's queue. Empty until it was read */
            readonly queue: {
                /** @description The last reading: how many items from all sources the gateway listed */
                readonly reading?: {
                    readonly items: number;
                    /** Format: date-time */
                    readonly at: string;
                };
                /** @description How many items a worker estimated: the reading, the messages posted since, and what left at the release interval. Absent until it was read, or found unreadable */
                readonly estimate?: {
                    readonly items: number;
                    /** Format: date-time */
                    readonly at: string;
                };
                /** @description Milliseconds between two releases of the gateway's queue */
                readonly releaseIntervalMs?: number;
                /** @description Present if the queue stands still: it has items, the account is authorized, and the gateway has released nothing for many release intervals */
                readonly standstill?: {
                    readonly items: number;
                    /**
                     * Format: date-time
                     * @description Since when no item is known to have left the queue
                     */
                    readonly since: string;
                    /** @description What an operator can do */
                    readonly remedy: string;
                };
            };
            /** @description The worker that dispatches the instance's messages, or did so last. Empty before the first message */
            readonly dispatcher: {
                readonly worker?: string;
                /**
                 * Format: date-time
                 * @description Absent while no worker serves the instance because nothing is due
                 */
                readonly servedSince?: string;
                /** Format: date-time */
                readonly seenAt?: string;
                /** @description POSTs under way */
                readonly inFlight?: number;
                /** @description The most POSTs that may be under way */
                readonly window?: number;
            };
            readonly waiting: {
                /** @description Single messages that were not posted yet, counted up to 10,000 */
                readonly messages: number;
                /** @description Campaigns that post nothing at the moment, and why */
                readonly campaigns: readonly {
                    readonly id: string;
                    /** @enum {string} */
                    readonly state: "draft" | "scheduled" | "running" | "paused" | "cancelling" | "completed" | "completed_with_failures" | "cancelled" | "expired";
                    readonly waiting: {
                        /** @description Why it waits: a code of docs/errors.md, docs/campaigns.md or docs/troubleshooting.md */
                        readonly code: string;
                        /** Format: date-time */
                        readonly since: string;
                        readonly text?: string;
                        /**
                         * Format: date-time
                         * @description When it ends, if only time decides
                         */
                        readonly until?: string;
                        /** @description A command that ends it, or shows what to do */
                        readonly remedy?: string;
                        /**
                         * Format: date-time
                         * @description When a worker estimated it, for what only a worker knows
                         */
                        readonly asOf?: string;
                    };
                }[];
                /** @description Messages with an unknown outcome after a lost response, counted up to 100 */
                readonly unknownOutcomes: number;
            };
            /** @description Messages that the instance's hours and limits delay now */
            readonly closed: readonly {
                /**
                 * @description `all`: every message that is not urgent
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
                 * @description Absent if nothing opens within 400 days
                 */
                readonly until?: string;
            }[];
            /** @description Messages of the current day in the instance's timezone. Absent without a daily cap */
            readonly today?: {
                readonly posted: number;
                readonly cap: number;
                /**
                 * Format: date-time
                 * @description When the next day begins
                 */
                readonly until: string;
            };
            /** @description Present while messages are unresolved because the ledger was restored from an older copy (LEDGER_WENT_BACK) */
            readonly wentBack?: {
                /**
                 * Format: date-time
                 * @description When it was found
                 */
                readonly foundAt: string;
                /**
                 * @description `command`: everpost restore. `database`: the ledger is in another database, or its standby was promoted. `dispatcher`: a worker or Temporal knows what the ledger does not
                 * @enum {string}
                 */
                readonly foundBy: "command" | "database" | "dispatcher";
                /**
                 * Format: date-time
                 * @description What happened after this time may be unknown to the ledger
                 */
                readonly knownUntil?: string;
                /** @description Messages that may have been sent since, counted up to 10,000 */
                readonly unresolved: number;
            };
            /**
             * Format: date-time
             * @description When the last notification arrived
             */
            readonly lastNotificationAt?: string;
        };
        readonly IssuedApiKey: {
            /** @description The part of the key that is not secret */
            readonly id: string;
            /** @description Name of the key: the witness in evidence and in the audit list */
            readonly name: string;
            /** @description Rights of the key */
            readonly scopes: readonly ("read" | "send" | "admin")[];
            /** @description Instances that the key may use. Absent: every instance */
            readonly instances?: readonly string[];
            /** @description Requests per second. Absent: the rate of EVERPOST_KEY_LIMITS */
            readonly ratePerSecond?: number;
            /**
             * Format: date-time
             * @description When the key was created
             */
            readonly createdAt: string;
            /** @description Who created the key */
            readonly createdBy: string;
            /**
             * Format: date-time
             * @description When the key was last used, to the minute
             */
            readonly lastUsedAt?: string;
            /**
             * Format: date-time
             * @description When the key expires. Absent: never
             */
            readonly expiresAt?: string;
            /**
             * Format: date-time
             * @description After a rotation: until when the previous key is also valid
             */
            readonly previousUntil?: string;
            /**
             * Format: date-time
             * @description When the key was revoked
             */
            readonly revokedAt?: string;
            /** @description The key. It is shown only once */
            readonly key: string;
        };
        /** @description How a file was read */
        readonly ListFacts: {
            /** @description Encoding of a text file */
            readonly encoding?: {
                /** @enum {string} */
                readonly name: "utf-8" | "utf-16le" | "utf-16be" | "windows-1252" | "windows-1250" | "windows-1251" | "windows-1253" | "windows-1254" | "windows-1255" | "windows-1256" | "windows-1257" | "windows-1258" | "windows-874" | "iso-8859-2" | "iso-8859-5" | "iso-8859-7" | "iso-8859-15" | "koi8-r" | "koi8-u" | "macintosh" | "gbk" | "gb18030" | "big5" | "shift_jis" | "euc-jp" | "euc-kr";
                /** @description True if the bytes decided it, and no byte order mark or parameter */
                readonly detected: boolean;
                /** @description The first value that another encoding would change. Check it, if the encoding was detected */
                readonly sample?: {
                    readonly line: number;
                    readonly value: string;
                };
            };
            /** @description Character between the columns of a CSV file */
            readonly delimiter?: string;
            /** @description The sheet of a workbook */
            readonly sheet?: string;
            /** @description All sheets, if the workbook has several and none was named */
            readonly sheets?: readonly string[];
            /** @description The column with the number */
            readonly phoneColumn?: {
                readonly name: string;
                /**
                 * @description By what it was recognised
                 * @enum {string}
                 */
                readonly by: "option" | "name" | "content";
            };
        };
        readonly LocationContent: {
            /** @constant */
            readonly kind: "location";
            /** @description Degrees, -90 to 90 */
            readonly latitude: number;
            /** @description Degrees, -180 to 180 */
            readonly longitude: number;
            /** @description Name of the place */
            readonly nameLocation?: string;
            /** @description Address of the place */
            readonly address?: string;
            /** @description The gateway's id of the message to quote */
            readonly quotedMessageId?: string;
        };
        readonly Message: {
            /** @description Id of the message */
            readonly id: string;
            /** @description The instance that sends it */
            readonly instance: string;
            /** @description The gateway's id of the chat. Absent for a status */
            readonly chatId?: string;
            /** @description The content, with the text that is, or will be, on the phone: an edit that waits or is confirmed replaces the posted text. The texts of a sensitive message are shown as `••••` */
            readonly content: components["schemas"]["TextContent"] | components["schemas"]["FileContent"] | components["schemas"]["StatusContent"] | components["schemas"]["PollContent"] | components["schemas"]["LocationContent"] | components["schemas"]["ContactContent"] | components["schemas"]["ForwardContent"] | components["schemas"]["TemplateContent"];
            /** @description The text that was posted, if an edit replaces it on the phone */
            readonly postedText?: string;
            /** @description True if its texts are not shown */
            readonly sensitive?: boolean;
            /** @description Characters of the texts that are not shown */
            readonly textLength?: number;
            /**
             * Format: date-time
             * @description When its texts were removed, since nothing needed them any more
             */
            readonly textRemovedAt?: string;
            /** @enum {string} */
            readonly state: "pending" | "sending" | "unknown" | "unresolved" | "accepted" | "sent" | "delivered" | "read" | "rejected" | "failed" | "no_account" | "expired" | "cancelled" | "suppressed" | "held_out";
            /** @description Increases with each change */
            readonly version: number;
            /** @description Order of dispatch within the instance */
            readonly priority: string;
            /** @description `marketing` or `transactional` */
            readonly category: string;
            /** @description What happens if the outcome cannot be determined */
            readonly onUnknown: string;
            /** @description The caller's own reference */
            readonly reference?: string;
            /** @description URL to which every change of the state is posted */
            readonly statusCallback?: string;
            /** @description The requester: key:<name>, loopback (no key was needed), schedule:<id> or temporal. Absent for a campaign's message */
            readonly requestedBy?: string;
            /** @description The gateway's id */
            readonly idMessage?: string;
            /** @description Stable word for why the message ended in this state */
            readonly reason?: string;
            /** @description The gateway's own words */
            readonly reasonText?: string;
            /**
             * Format: date-time
             * @description When the message was requested
             */
            readonly createdAt: string;
            /**
             * Format: date-time
             * @description The message is not posted before this time, if the request has one
             */
            readonly sendAt?: string;
            /**
             * Format: date-time
             * @description The message is not posted after this time
             */
            readonly expiresAt: string;
            /** @description Why a pending message waits */
            readonly waiting?: {
                /** @description Why it waits: a code of docs/errors.md, docs/campaigns.md or docs/troubleshooting.md */
                readonly code: string;
                /** Format: date-time */
                readonly since: string;
                readonly text?: string;
                /**
                 * Format: date-time
                 * @description When it ends, if only time decides
                 */
                readonly until?: string;
                /** @description A command that ends it, or shows what to do */
                readonly remedy?: string;
                /**
                 * Format: date-time
                 * @description When a worker estimated it, for what only a worker knows
                 */
                readonly asOf?: string;
                /** @description The identical message to the same chat whose outcome is unknown */
                readonly identical?: string;
            };
            /**
             * Format: date-time
             * @description By everpost's clock, like the next three. These times never decrease
             */
            readonly acceptedAt?: string;
            /**
             * Format: date-time
             * @description When the first receipt that implies `sent` arrived
             */
            readonly sentAt?: string;
            /**
             * Format: date-time
             * @description When the first receipt that implies `delivered` arrived
             */
            readonly deliveredAt?: string;
            /**
             * Format: date-time
             * @description When the first receipt that implies `read` arrived
             */
            readonly readAt?: string;
            /**
             * Format: date-time
             * @description By the gateway's clock, in whole seconds
             */
            readonly gatewaySentAt?: string;
            /**
             * Format: date-time
             * @description By the gateway's clock
             */
            readonly gatewayDeliveredAt?: string;
            /**
             * Format: date-time
             * @description By the gateway's clock
             */
            readonly gatewayReadAt?: string;
            /**
             * Format: date-time
             * @description When the message reached an end state
             */
            readonly endedAt?: string;
            /**
             * Format: date-time
             * @description Until when an edit can be posted. Present once the message is sent
             */
            readonly editableUntil?: string;
            /** @description The workflow that sends the message, unless it is `message:<id>` */
            readonly workflowId?: string;
            /**
             * Format: date-time
             * @description Until when the gateway may still send the message. Only while it is accepted without a receipt
             */
            readonly mayLeaveUntil?: string;
            /** @description The campaign that the message belongs to */
            readonly campaignId?: string;
            /** @description The campaign that the message is a test of. It is in none of the campaign's counts */
            readonly testOf?: string;
            /** @description The variant of the campaign's content that it has */
            readonly variant?: string;
            /** @description Line of the recipient in the campaign's file; of a test, the line whose values it contains */
            readonly line?: number;
            /** @description Only while the state is `unknown`: how long everpost tries to determine the outcome, and what happens then */
            readonly unknown?: {
                /**
                 * Format: date-time
                 * @description When the request began to leave
                 */
                readonly since: string;
                /**
                 * Format: date-time
                 * @description Until when everpost watches the gateway's queue, journal and notifications
                 */
                readonly witnessesUntil: string;
                /**
                 * Format: date-time
                 * @description The latest end of this watch, if a witness cannot be asked
                 */
                readonly atLatest: string;
                /**
                 * @description `unresolved`: an operator resolves it. `presume_or_unresolved`: it is sent again if it is presumed never to have been accepted, else it is unresolved
                 * @enum {string}
                 */
                readonly then: "unresolved" | "presume_or_unresolved";
            };
            /** @description Messages with the same content in the chat of a lid (`…@lid`) whose owner is not known. Only while the outcome is not known */
            readonly possibleMatches?: readonly {
                /** @description The gateway's id of a message that may be this one */
                readonly idMessage: string;
                /** @description The chat in which the gateway shows it */
                readonly chatId: string;
                readonly witness: string;
                /**
                 * Format: date-time
                 * @description When it was recorded
                 */
                readonly at: string;
                /** @description What it is, and the command that gives its id to this message */
                readonly text: string;
            }[];
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
            /** @description The posts to the message's statusCallback, in order */
            readonly callbacks?: readonly {
                /** @enum {string} */
                readonly state: "pending" | "sending" | "unknown" | "unresolved" | "accepted" | "sent" | "delivered" | "read" | "rejected" | "failed" | "no_account" | "expired" | "cancelled" | "suppressed" | "held_out";
                /**
                 * Format: date-time
                 * @description When the message reached the state
                 */
                readonly at: string;
                readonly tries: number;
                /** Format: date-time */
                readonly deliveredAt?: string;
                /** Format: date-time */
                readonly givenUpAt?: string;
                /** @description Why the last try failed */
                readonly problem?: string;
                /** Format: date-time */
                readonly nextTryAt?: string;
            }[];
        };
        readonly MessageEdit: {
            /** @description Id of the edit */
            readonly id: string;
            /** @enum {string} */
            readonly state: "pending" | "sending" | "posted" | "edited" | "too_late" | "refused" | "unconfirmed" | "superseded" | "not_possible";
            /**
             * @description `before_send`: the text was replaced before the message was posted. `gateway`: the sent message was edited
             * @enum {string}
             */
            readonly via?: "before_send" | "gateway";
            /** @description The complete new text. Of a sensitive message: `••••` */
            readonly text?: string;
            /** @description Characters of a text that is not shown */
            readonly textLength?: number;
            /**
             * Format: date-time
             * @description When the edit was requested
             */
            readonly requestedAt?: string;
            /**
             * Format: date-time
             * @description When the gateway accepted the edit
             */
            readonly postedAt?: string;
            /**
             * Format: date-time
             * @description When the edit reached an end state
             */
            readonly endedAt?: string;
            /** @description The gateway's id of the edited message */
            readonly idMessageGiven?: string;
            /** @description The id in the gateway's response to the edit */
            readonly idMessageReturned?: string;
            /** @description Stable word for why the edit ended in this state */
            readonly reason?: string;
        };
        readonly MessageList: {
            readonly items: readonly components["schemas"]["MessageListItem"][];
            readonly cursor?: string;
        };
        readonly MessageListItem: {
            /** @description Id of the message */
            readonly id: string;
            /** @description The instance that sends it */
            readonly instance: string;
            /** @description The gateway's id of the chat. Absent for a status */
            readonly chatId?: string;
            /** @description The content, with the text that is, or will be, on the phone: an edit that waits or is confirmed replaces the posted text. The texts of a sensitive message are shown as `••••` */
            readonly content: components["schemas"]["TextContent"] | components["schemas"]["FileContent"] | components["schemas"]["StatusContent"] | components["schemas"]["PollContent"] | components["schemas"]["LocationContent"] | components["schemas"]["ContactContent"] | components["schemas"]["ForwardContent"] | components["schemas"]["TemplateContent"];
            /** @description The text that was posted, if an edit replaces it on the phone */
            readonly postedText?: string;
            /** @description True if its texts are not shown */
            readonly sensitive?: boolean;
            /** @description Characters of the texts that are not shown */
            readonly textLength?: number;
            /**
             * Format: date-time
             * @description When its texts were removed, since nothing needed them any more
             */
            readonly textRemovedAt?: string;
            /** @enum {string} */
            readonly state: "pending" | "sending" | "unknown" | "unresolved" | "accepted" | "sent" | "delivered" | "read" | "rejected" | "failed" | "no_account" | "expired" | "cancelled" | "suppressed" | "held_out";
            /** @description Increases with each change */
            readonly version: number;
            /** @description Order of dispatch within the instance */
            readonly priority: string;
            /** @description `marketing` or `transactional` */
            readonly category: string;
            /** @description What happens if the outcome cannot be determined */
            readonly onUnknown: string;
            /** @description The caller's own reference */
            readonly reference?: string;
            /** @description URL to which every change of the state is posted */
            readonly statusCallback?: string;
            /** @description The requester: key:<name>, loopback (no key was needed), schedule:<id> or temporal. Absent for a campaign's message */
            readonly requestedBy?: string;
            /** @description The gateway's id */
            readonly idMessage?: string;
            /** @description Stable word for why the message ended in this state */
            readonly reason?: string;
            /** @description The gateway's own words */
            readonly reasonText?: string;
            /**
             * Format: date-time
             * @description When the message was requested
             */
            readonly createdAt: string;
            /**
             * Format: date-time
             * @description The message is not posted before this time, if the request has one
             */
            readonly sendAt?: string;
            /**
             * Format: date-time
             * @description The message is not posted after this time
             */
            readonly expiresAt: string;
            /** @description Why a pending message waits */
            readonly waiting?: {
                /** @description Why it waits: a code of docs/errors.md, docs/campaigns.md or docs/troubleshooting.md */
                readonly code: string;
                /** Format: date-time */
                readonly since: string;
                readonly text?: string;
                /**
                 * Format: date-time
                 * @description When it ends, if only time decides
                 */
                readonly until?: string;
                /** @description A command that ends it, or shows what to do */
                readonly remedy?: string;
                /**
                 * Format: date-time
                 * @description When a worker estimated it, for what only a worker knows
                 */
                readonly asOf?: string;
                /** @description The identical message to the same chat whose outcome is unknown */
                readonly identical?: string;
            };
            /**
             * Format: date-time
             * @description By everpost's clock, like the next three. These times never decrease
             */
            readonly acceptedAt?: string;
            /**
             * Format: date-time
             * @description When the first receipt that implies `sent` arrived
             */
            readonly sentAt?: string;
            /**
             * Format: date-time
             * @description When the first receipt that implies `delivered` arrived
             */
            readonly deliveredAt?: string;
            /**
             * Format: date-time
             * @description When the first receipt that implies `read` arrived
             */
            readonly readAt?: string;
            /**
             * Format: date-time
             * @description By the gateway's clock, in whole seconds
             */
            readonly gatewaySentAt?: string;
            /**
             * Format: date-time
             * @description By the gateway's clock
             */
            readonly gatewayDeliveredAt?: string;
            /**
             * Format: date-time
             * @description By the gateway's clock
             */
            readonly gatewayReadAt?: string;
            /**
             * Format: date-time
             * @description When the message reached an end state
             */
            readonly endedAt?: string;
            /**
             * Format: date-time
             * @description Until when an edit can be posted. Present once the message is sent
             */
            readonly editableUntil?: string;
            /** @description The workflow that sends the message, unless it is `message:<id>` */
            readonly workflowId?: string;
            /**
             * Format: date-time
             * @description Until when the gateway may still send the message. Only while it is accepted without a receipt
             */
            readonly mayLeaveUntil?: string;
            /** @description The campaign that the message belongs to */
            readonly campaignId?: string;
            /** @description The campaign that the message is a test of. It is in none of the campaign's counts */
            readonly testOf?: string;
            /** @description The variant of the campaign's content that it has */
            readonly variant?: string;
            /** @description Line of the recipient in the campaign's file; of a test, the line whose values it contains */
            readonly line?: number;
        };
        readonly NewApiKey: {
            /** @description Witness in evidence and in the audit list. A name is never used for another key */
            readonly name: string;
            /** @description Rights of the key. No scope includes another */
            readonly scopes: readonly ("read" | "send" | "admin")[];
            /** @description Instances that the key may use. Objects of other instances do not exist for it. Default: every instance */
            readonly instances?: readonly string[];
            /** @description Requests per second. Default: the rate of EVERPOST_KEY_LIMITS (500) */
            readonly ratePerSecond?: number;
            /** @description When the key expires, as a duration from now, e.g. 90d. Default: never */
            readonly expiresIn?: string;
        };
        readonly NewCampaign: {
            /** @description A permanent name that you choose. Default: derived from the Idempotency-Key */
            readonly id?: string;
            /** @description Display name in lists, reports and Temporal's Web UI. One line of at most 200 characters */
            readonly name?: string;
            /** @description Name of the configured instance. Replaced by `instances` */
            readonly instance?: string;
            /** @description Names of the configured instances that share the recipients */
            readonly instances?: readonly string[];
            /**
             * @description `preferred`: a recipient gets the account of `instances` that talked with him last, and another one if it cannot send for longer than `moveAfter`. `required`: messages never move from an account that cannot send. Default: preferred
             * @enum {string}
             */
            readonly stickySender?: "preferred" | "required";
            /** @description How long after the last message an account stays the sender of a recipient. Default: 180d */
            readonly stickyFor?: string;
            /** @description How long an account cannot send before its pending messages move to another one. Default: 10m */
            readonly moveAfter?: string;
            readonly content?: components["schemas"]["ContentTemplate"];
            /** @description Contents that different recipients get, in place of `content`. A hash of the recipient decides: a campaign with the same names and shares gives the same recipients the same variant */
            readonly variants?: readonly components["schemas"]["CampaignVariant"][];
            /** @description Share of the recipients who get nothing and end `held_out`. It is taken first, by a hash of the recipient: a campaign with the same share holds out the same recipients. Default: none */
            readonly holdOut?: string;
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
             * @description What happens when it cannot be determined whether the gateway accepted a message. Default: manual
             * @enum {string}
             */
            readonly onUnknown?: "manual" | "auto";
            /** @description The campaign fills the gateway's queue up to this many items from all sources. Default: by priority */
            readonly highWater?: number;
            /**
             * Format: date-time
             * @description A started campaign posts nothing before this time. Default: at once
             */
            readonly startAt?: string;
            /**
             * @description What happens when the campaign starts later than its grace time. `run`: it starts. `skip`: it is cancelled. `hold`: it waits until an operator resumes it. Default: hold; skip for the message of a schedule
             * @enum {string}
             */
            readonly missedStart?: "run" | "skip" | "hold";
            /** @description How late a start may be before it counts as missed. Default: 1h */
            readonly graceTime?: string;
            /**
             * Format: date-time
             * @description No recipient is posted to after this time. Default: seven days after the start
             */
            readonly deadline?: string;
            /** @description Country of phone numbers without + or 00. Default: they are read as international numbers */
            readonly defaultCountry?: string;
            /** @description True starts the campaign although more than 5 % of the lines of its recipients were rejected. Default: false */
            readonly acceptRejected?: boolean;
            readonly autoPause?: components["schemas"]["AutoPause"];
            /** @description When the campaign sends. Default: whenever its instance does */
            readonly sendingWindows?: components["schemas"]["SendingWindows"];
            readonly limits?: components["schemas"]["CampaignLimits"];
            /** @description How long the gateway shows typing before it sends each text, poll, file or forward, 1s to 20s. Default: not shown */
            readonly typing?: string;
            /** @description Timezone of recipients without their own, if `sendingWindows` use the recipients' clocks. Default: they are rejected */
            readonly defaultTimezone?: string;
            /** @description For how long after the campaign's message an incoming message of its recipient counts as a reply, or as an opt-out. Default: 72h */
            readonly repliesFor?: string;
            /** @description A text of yours that responses repeat */
            readonly reference?: string;
        };
        readonly NewErasure: {
            /** @description Phone number, international or of the `defaultCountry`, or a chat id that ends in @c.us, @g.us or @lid */
            readonly to: string;
            /** @description Country of phone numbers without + or 00. Default: they are read as international numbers */
            readonly defaultCountry?: string;
        };
        readonly NewEventEndpoint: {
            /** @description Name of the configured instance */
            readonly instance: string;
            /**
             * Format: uri
             * @description URL to which events are posted. Absent: events are only stored, and can be listed
             */
            readonly url?: string;
            /** @description Event types, or * for all: message.received, reaction.received, call.received, notification.received, message.state_changed, message.unresolved, edit.ended, campaign.state_changed, campaign.replied, schedule.failed, template.reviewed, instance.state_changed, instance.queue_standstill, ledger.went_back, suppression.possible, endpoint.test. Default: all */
            readonly events?: readonly string[];
            /** @description True delivers every notification of the gateway unchanged, and nothing else. Default: false */
            readonly raw?: boolean;
            /** @description A text of yours that responses repeat */
            readonly description?: string;
            /** @description Value of the Authorization header of each delivery. Responses never show it. Give it again with a URL of another origin */
            readonly authorization?: string;
        };
        readonly NewRecurringJob: {
            /** @description Name of the configured instance */
            readonly instance: string;
            /**
             * @description `stories`: stores incoming stories. `group`: stores the data of a group
             * @enum {string}
             */
            readonly kind: "stories" | "group";
            /** @description Chat id of the group. Only for the kind `group` */
            readonly groupId?: string;
            /** @description Minutes between two runs, at most 10,080. The account shows stories for a day */
            readonly everyMinutes: number;
        };
        readonly NewSchedule: {
            /** @description A permanent name that you choose. Default: derived from the Idempotency-Key */
            readonly id?: string;
            readonly campaign?: components["schemas"]["ScheduledCampaign"];
            readonly recipients?: components["schemas"]["ScheduleRecipients"];
            /** @description The message that each run sends, in place of `campaign` and `recipients` */
            readonly message?: components["schemas"]["ScheduledMessage"];
            /** @description Minute, hour, day of month, month, day of week, e.g. 0 9 * * MON; or @daily and the like. Several: the times of all of them */
            readonly cron: readonly string[];
            /** @description IANA name in any case, e.g. Europe/Lisbon. Default: UTC */
            readonly timezone?: string;
            /** @description Temporal delays each start by a random part of this duration. Default: none */
            readonly jitter?: string;
            /**
             * Format: date-time
             * @description No run before this time
             */
            readonly startAt?: string;
            /**
             * Format: date-time
             * @description No run after this time
             */
            readonly endAt?: string;
            /**
             * @description What Temporal does while the campaign of an earlier time has not ended, or its message was not posted. `skip`: it skips the time. `buffer`: one waits. `allow`: both run. Default: skip
             * @enum {string}
             */
            readonly overlap?: "skip" | "buffer" | "allow";
            /** @description How late a run may begin, after an outage or while its recipients cannot be read. Default: 1h */
            readonly catchupWindow?: string;
            /** @description True creates the schedule paused. Default: false */
            readonly paused?: boolean;
            /** @description The reason, shown until the next pause or resume, and stored by Temporal unencrypted */
            readonly note?: string;
        };
        readonly NotificationSummary: {
            /** @description The instance of the notifications */
            readonly instance: string;
            /**
             * Format: date-time
             * @description When the last of all retained notifications arrived
             */
            readonly lastAt?: string;
            /** @description Notifications in the last 24 hours */
            readonly came: number;
            /** @description Repetitions of one of them with the same content */
            readonly repeats: number;
            /** @description Counts by typeWebhook */
            readonly kinds: {
                readonly [key: string]: number;
            };
            /** @description Counts of unusual notifications: cut, malformed, another_instance, unknown_kind, incomplete, unreadable_chat, unknown_message_type */
            readonly oddities: {
                readonly [key: string]: number;
            };
            /** @description Incoming messages of a type that this version does not know, by typeMessage */
            readonly unknownTypes: {
                readonly [key: string]: number;
            };
            /** @description Notifications that are stored and not applied yet */
            readonly waiting: number;
            /**
             * Format: date-time
             * @description When the oldest of them arrived
             */
            readonly waitingSince?: string;
            /** @description Retained notifications that could not be applied and were set aside */
            readonly failed: number;
            /** @description The newest of them: when it arrived, and why it could not be applied */
            readonly lastFailure?: {
                /** Format: date-time */
                readonly at: string;
                readonly problem: string;
            };
            /** @description Messages that may mean STOP and wait for a decision, counted up to 10,000. See GET /v1/suppressions/possible */
            readonly possibleOptOuts: number;
            /** @description What workflows of messages wait for, and Temporal has not taken yet */
            readonly unsentToRuns: number;
            /**
             * Format: date-time
             * @description When the oldest of them happened
             */
            readonly unsentToRunsSince?: string;
            /** @description The last notification that the plan's limit was reached */
            readonly quotaExceeded?: {
                /** Format: date-time */
                readonly at: string;
                readonly quota?: unknown;
            };
        };
        readonly Operation: {
            /** @description Id of the operation */
            readonly id: string;
            /**
             * @description The gateway's name of the operation
             * @enum {string}
             */
            readonly method: "clearMessagesQueue" | "createTemplate" | "deleteNotification" | "editMessage" | "forwardMessages" | "getGroupData" | "getIncomingStories" | "getMessage" | "getSettings" | "getStateInstance" | "getTemplateById" | "getTemplates" | "lastOutgoingMessages" | "readChat" | "reboot" | "receiveNotification" | "sendContact" | "sendFileByUrl" | "sendLocation" | "sendMessage" | "sendPoll" | "sendTemplate" | "sendTextStatus" | "sendTyping" | "setSettings" | "showMessagesQueue" | "uploadFile";
            /** @description The instance that runs it */
            readonly instance?: string;
            /**
             * @description `may_have_happened`: a request left and its outcome is unknown
             * @enum {string}
             */
            readonly state: "pending" | "sending" | "done" | "failed" | "may_have_happened";
            /** @description The gateway's response without its secret fields */
            readonly result?: unknown;
            /** @description Code of the failure, see docs/errors.md */
            readonly code?: string;
            /** @description The gateway's own words */
            readonly text?: string;
            /**
             * Format: date-time
             * @description When the operation was requested
             */
            readonly createdAt?: string;
            /**
             * Format: date-time
             * @description When the operation ended
             */
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
                 * @description When the account was first seen in this state, or the operator paused the instance
                 */
                readonly since: string;
                /** @description Source of the pause: a notification, getStateInstance, or an operator */
                readonly witness: string;
            };
            readonly instance: components["schemas"]["Instance"];
        };
        readonly Payloads: {
            /** @description Temporal's payloads in Temporal's JSON format: bytes are base64 */
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
            /** @description 2 to 12 different options */
            readonly options: readonly {
                /** @description Without the blanks around it */
                readonly optionName: string;
            }[];
            /** @description True if more than one option may be chosen. Default: false */
            readonly multipleAnswers?: boolean;
            /** @description The gateway's id of the message to quote */
            readonly quotedMessageId?: string;
            /** @description Milliseconds, 1,000 to 20,000 */
            readonly typingTime?: number;
        };
        readonly PossibleOptOut: {
            /** @description Id of the possible opt-out */
            readonly id: string;
            /** @description The instance that received the message */
            readonly instance: string;
            /** @description The chat of the message */
            readonly chatId: string;
            /** @description The gateway's id of the message */
            readonly idMessage: string;
            /** @description The text of the message. Absent once the retention has passed */
            readonly text?: string;
            /** @description Our word or phrase that the text is similar to, in lower case without accents */
            readonly word: string;
            /** @description Language of the word. `own`: a word of the instances file */
            readonly language: string;
            /**
             * Format: date-time
             * @description When the gateway received the message
             */
            readonly at: string;
            /**
             * Format: date-time
             * @description When it was recorded
             */
            readonly recordedAt: string;
            /**
             * @description `open`: an operator has to decide. `accepted`: it is an entry of the list. `dismissed`: it is none
             * @enum {string}
             */
            readonly state: "open" | "accepted" | "dismissed";
            /** @description Further such messages of the recipient while it was open */
            readonly further: number;
            /** @description Who decided. `stop_word`, `start_word`: a later word of the recipient did */
            readonly decidedBy?: string;
            /**
             * Format: date-time
             * @description When that was
             */
            readonly decidedAt?: string;
            /** @description The entry that resulted */
            readonly suppressionId?: string;
        };
        readonly PossibleOptOutList: {
            readonly items: readonly components["schemas"]["PossibleOptOut"][];
            readonly cursor?: string;
        };
        /** @description RFC 9457 */
        readonly Problem: {
            /** @description `urn:everpost:error:<code>` */
            readonly type: string;
            /** @description The code in words */
            readonly title: string;
            /** @description HTTP status */
            readonly status: number;
            /** @description Stable code. docs/errors.md describes each code */
            readonly code: string;
            /** @description What failed, why, and the remedy */
            readonly detail: string;
            /** @description The fields that have a problem */
            readonly errors?: readonly {
                readonly path: string;
                readonly message: string;
            }[];
            /** @description Only with ID_AMBIGUOUS: up to 5 ids that begin with the given one */
            readonly candidates?: readonly string[];
            /** @description Milliseconds to wait before a retry */
            readonly retryAfterMs?: number;
        };
        readonly ReadChat: {
            /** @description The account */
            readonly instance: string;
            /** @description The phone number or chat id of the contact, or the id of the group */
            readonly to: string;
            /** @description Country of phone numbers without + or 00. Default: they are read as international numbers */
            readonly defaultCountry?: string;
            /**
             * Format: date-time
             * @description `arrivedAt` of the last message that was read
             */
            readonly until: string;
        };
        readonly Readiness: {
            /** @constant */
            readonly status: "ok";
            /** @description Id of the ledger, by which `everpost doctor` distinguishes two stacks */
            readonly ledger: string;
        };
        readonly RecurringJob: {
            /** @description Id of the job */
            readonly id: string;
            /**
             * @description What the job reads
             * @enum {string}
             */
            readonly kind: "stories" | "group";
            /** @description The instance whose data it reads */
            readonly instance: string;
            /** @description Chat id of the group. Only for the kind `group` */
            readonly groupId?: string;
            /** @description Milliseconds between two runs */
            readonly everyMs: number;
            /**
             * Format: date-time
             * @description When the job was created
             */
            readonly createdAt: string;
            /**
             * Format: date-time
             * @description When the job runs next
             */
            readonly nextAt: string;
            /**
             * Format: date-time
             * @description When the job last succeeded
             */
            readonly lastAt?: string;
            /** @description Why the last run failed */
            readonly problem?: string;
        };
        readonly RemoveSuppression: {
            /** @description Phone number, international or of the `defaultCountry`, or a chat id that ends in @c.us, @g.us or @lid */
            readonly to: string;
            /** @description Country of phone numbers without + or 00. Default: they are read as international numbers */
            readonly defaultCountry?: string;
            /** @description Removes only the entries of this instance. Default: every entry */
            readonly instance?: string;
        };
        readonly RemovedSuppressions: {
            readonly removed: readonly components["schemas"]["Suppression"][];
            /** @description Entries that still apply, for other instances or for all */
            readonly left: readonly components["schemas"]["Suppression"][];
        };
        readonly Replay: {
            /** @description Id of the replay */
            readonly id: string;
            /** @description The instance whose notifications are applied again. Absent: all */
            readonly instance?: string;
            /**
             * Format: date-time
             * @description Notifications from this time on are applied again
             */
            readonly since: string;
            /** @description How many notifications the replay applies again */
            readonly total: number;
            /** @description How many were applied */
            readonly done: number;
            /** @description Counts of the replay's outcomes so far */
            readonly outcomes: {
                readonly [key: string]: number;
            };
            /**
             * Format: date-time
             * @description When the replay was requested
             */
            readonly begunAt: string;
            /**
             * Format: date-time
             * @description When the replay ended
             */
            readonly endedAt?: string;
        };
        readonly ReplayRequest: {
            /**
             * Format: date-time
             * @description Only notifications that arrived from this time on
             */
            readonly since: string;
            /** @description Only notifications of this instance. Default: all */
            readonly instance?: string;
        };
        readonly ReplayedEvents: {
            /** @description How many events are delivered again */
            readonly events: number;
        };
        readonly ReportPage: {
            readonly items: readonly components["schemas"]["ReportRow"][];
            readonly cursor?: string;
        };
        readonly ReportRow: {
            /** @description Line of the source */
            readonly line: number;
            /** @description Id of the recipient's message. It can be shown, edited, cancelled and resolved like any other message */
            readonly messageId: string;
            /** @description The recipient's number as it is usually written. A group's or hidden number's chat id; absent once the recipient is erased */
            readonly number?: string;
            /** @description The gateway's id of the recipient's chat */
            readonly chatId: string;
            /** @enum {string} */
            readonly state: "pending" | "sending" | "unknown" | "unresolved" | "accepted" | "sent" | "delivered" | "read" | "rejected" | "failed" | "no_account" | "expired" | "cancelled" | "suppressed" | "held_out";
            /** @description Stable word for why the message ended in this state */
            readonly reason?: string;
            /** @description The gateway's own words */
            readonly reasonText?: string;
            /** @description The gateway's id */
            readonly idMessage?: string;
            /** @description Number of attempts */
            readonly attempts: number;
            /**
             * Format: date-time
             * @description By everpost's clock, like the next three. These times never decrease
             */
            readonly acceptedAt?: string;
            /**
             * Format: date-time
             * @description When the first receipt that implies `sent` arrived
             */
            readonly sentAt?: string;
            /**
             * Format: date-time
             * @description When the first receipt that implies `delivered` arrived
             */
            readonly deliveredAt?: string;
            /**
             * Format: date-time
             * @description When the first receipt that implies `read` arrived
             */
            readonly readAt?: string;
            /**
             * Format: date-time
             * @description When the recipient reached an end state
             */
            readonly endedAt?: string;
            /** @description The witness of the newest evidence, and what it showed */
            readonly evidence?: string;
            /**
             * Format: date-time
             * @description By the gateway's clock, in whole seconds
             */
            readonly gatewaySentAt?: string;
            /**
             * Format: date-time
             * @description By the gateway's clock
             */
            readonly gatewayDeliveredAt?: string;
            /**
             * Format: date-time
             * @description By the gateway's clock
             */
            readonly gatewayReadAt?: string;
            /** @description Version of the campaign's text that was posted. `own`: the message has its own text */
            readonly sentVersion?: string;
            /** @description Version of the text that the phone is known to show */
            readonly shownVersion?: string;
            /**
             * @description State of the newest edit
             * @enum {string}
             */
            readonly editOutcome?: "pending" | "sending" | "posted" | "edited" | "too_late" | "refused" | "unconfirmed" | "superseded" | "not_possible";
            /**
             * Format: date-time
             * @description When the newest edit was confirmed
             */
            readonly editedAt?: string;
            /** @description The variant of the campaign's content that the message has */
            readonly variant?: string;
            /**
             * Format: date-time
             * @description When the recipient first replied, by the gateway's clock
             */
            readonly repliedAt?: string;
            /**
             * Format: date-time
             * @description When the recipient first wrote a STOP, or what may be one, by the gateway's clock
             */
            readonly optedOutAt?: string;
            /** @description The account of the message. Absent until the recipient is read ahead */
            readonly instance?: string;
            /** @description The recipient's own values by column. Absent unless `columns` was requested; empty once erased */
            readonly columns?: {
                readonly [key: string]: string;
            };
            /** @description Timezone of this recipient's times. Absent unless `timezone` was requested */
            readonly timezone?: string;
        };
        readonly ResolveRequest: {
            /**
             * @description The outcome of the message. `not_accepted` makes it pending again: check the phone first. `by_evidence`: as the gateway and the stored notifications show it
             * @enum {string}
             */
            readonly outcome: "accepted" | "not_accepted" | "by_evidence";
            /** @description The gateway's id of the message, with `accepted`. Its receipts then count for the message */
            readonly idMessage?: string;
        };
        readonly Resolved: {
            readonly id: string;
            /** @enum {string} */
            readonly state: "pending" | "sending" | "unknown" | "unresolved" | "accepted" | "sent" | "delivered" | "read" | "rejected" | "failed" | "no_account" | "expired" | "cancelled" | "suppressed" | "held_out";
            /** @description The gateway's id, if it is known */
            readonly idMessage?: string;
        };
        readonly ResumeCampaign: {
            /** @description Only this account, which the automatic pause has stopped. Default: the campaign and all its accounts */
            readonly instance?: string;
        };
        readonly ResumedInstance: {
            readonly resumed: readonly {
                /** @enum {string} */
                readonly reason: "yellowCard" | "blocked" | "suspended" | "operator";
                /**
                 * Format: date-time
                 * @description When the account was first seen in this state, or the operator paused the instance
                 */
                readonly since: string;
                /** @description Source of the pause: a notification, getStateInstance, or an operator */
                readonly witness: string;
            }[];
            readonly instance: components["schemas"]["Instance"];
        };
        readonly RetriedRecipients: {
            /** @description How many recipients are retried */
            readonly recipients: number;
            readonly progress: components["schemas"]["CampaignProgress"];
        };
        readonly RetryCampaign: {
            /** @description The states to retry. `unknown`: the outcomes of unknown and unresolved messages are reconciled again */
            readonly scopes: readonly ("failed" | "rejected" | "no_account" | "expired" | "cancelled" | "suppressed" | "held_out" | "unknown")[];
            /** @description Only recipients who ended for one of these reasons */
            readonly reasons?: readonly string[];
            /** @description True posts unknown and unresolved messages again, although the recipients may have them. Default: false */
            readonly maySendTwice?: boolean;
            /**
             * Format: date-time
             * @description The new deadline. Required if the campaign's deadline has passed
             */
            readonly deadline?: string;
        };
        readonly Schedule: {
            /** @description Id of the schedule */
            readonly id: string;
            /** @enum {string} */
            readonly state: "active" | "paused" | "ended";
            /** @description The reason for the last pause or resume, from Temporal, or for the end */
            readonly note?: string;
            /** @description The next times, from Temporal. Absent while the schedule is paused or Temporal is unavailable */
            readonly nextRuns?: readonly string[];
            /** @description False while Temporal does not have the last change */
            readonly isSynced: boolean;
            /** @description Why Temporal rejects the schedule */
            readonly problem?: string;
            /**
             * Format: date-time
             * @description When the schedule was created
             */
            readonly createdAt: string;
            /** @description Times without a campaign or message. Temporal counts the overlapped ones since it has the schedule */
            readonly counts: {
                /** @description Times that began too late: Temporal or the workers were away */
                readonly missed: number;
                /** @description Times that Temporal skipped, since an earlier campaign had not ended */
                readonly overlapped: number;
                /** @description Runs that failed */
                readonly failed: number;
            };
            /** @description The latest run, if it was missed, failed, or fails and is retried. Absent once a later run started */
            readonly failure?: {
                /**
                 * Format: date-time
                 * @description The time of the occurrence
                 */
                readonly at: string;
                /**
                 * @description State of the run. `pending`: its recipients are being read. `started`: its campaign or message is written; it is open until that has ended or was posted. `missed`: it could not begin in time
                 * @enum {string}
                 */
                readonly state: "pending" | "started" | "skipped" | "missed" | "failed";
                /** @description Why the run was skipped, missed or failed, or why its last try failed */
                readonly reason?: string;
                /** @description Explains the reason */
                readonly text?: string;
            };
            /** @description The open run that the overlap policy compares the next time with */
            readonly blockedBy?: {
                /**
                 * Format: date-time
                 * @description The time of the occurrence
                 */
                readonly at: string;
                /** @description Id of the run's campaign, derived from schedule and time */
                readonly campaignId?: string;
                /** @description Id of the run's message, derived from schedule and time. Absent if the schedule sends a campaign */
                readonly messageId?: string;
            };
            readonly campaign?: components["schemas"]["ScheduledCampaign"];
            readonly recipients?: components["schemas"]["ScheduleRecipients"];
            /** @description The message that each run sends, in place of `campaign` and `recipients` */
            readonly message?: components["schemas"]["ScheduledMessage"];
            /** @description Minute, hour, day of month, month, day of week, e.g. 0 9 * * MON; or @daily and the like. Several: the times of all of them */
            readonly cron: readonly string[];
            /** @description IANA name in any case, e.g. Europe/Lisbon. Default: UTC */
            readonly timezone?: string;
            /** @description Temporal delays each start by a random part of this duration. Default: none */
            readonly jitter?: string;
            /**
             * Format: date-time
             * @description No run before this time
             */
            readonly startAt?: string;
            /**
             * Format: date-time
             * @description No run after this time
             */
            readonly endAt?: string;
            /**
             * @description What Temporal does while the campaign of an earlier time has not ended, or its message was not posted. `skip`: it skips the time. `buffer`: one waits. `allow`: both run. Default: skip
             * @enum {string}
             */
            readonly overlap?: "skip" | "buffer" | "allow";
            /** @description How late a run may begin, after an outage or while its recipients cannot be read. Default: 1h */
            readonly catchupWindow?: string;
        };
        readonly ScheduleList: {
            readonly items: readonly components["schemas"]["Schedule"][];
            readonly cursor?: string;
        };
        readonly ScheduleNote: {
            /** @description The reason, shown until the next pause or resume, and stored by Temporal unencrypted */
            readonly note?: string;
        };
        readonly ScheduleProgress: {
            /** @description Id of the schedule */
            readonly id: string;
            /** @enum {string} */
            readonly state: "active" | "paused" | "ended";
            /** @description The reason for the last pause or resume, from Temporal, or for the end */
            readonly note?: string;
            /** @description The next times, from Temporal. Absent while the schedule is paused or Temporal is unavailable */
            readonly nextRuns?: readonly string[];
            /** @description False while Temporal does not have the last change */
            readonly isSynced: boolean;
            /** @description Why Temporal rejects the schedule */
            readonly problem?: string;
            /**
             * Format: date-time
             * @description When the schedule was created
             */
            readonly createdAt: string;
        };
        /** @description The source from which each run reads its recipients */
        readonly ScheduleRecipients: {
            /** @description Path of the file on the worker's machine, below the instance's folder in EVERPOST_SOURCES_DIR */
            readonly file: string;
            /**
             * @description Character between the columns of a CSV file. Default: the one that the header uses
             * @enum {string}
             */
            readonly delimiter?: "," | ";" | "tab" | "|";
            /** @description Encoding of a text file, e.g. windows-1252. Default: detected */
            readonly encoding?: string;
            /** @description Name of the sheet of a workbook. Default: the first visible one */
            readonly sheet?: string;
            /** @description Name of the column with the number. Default: recognised by its name, else by its values */
            readonly phoneColumn?: string;
            /** @description Names of columns by the variables that they become */
            readonly map?: {
                readonly [key: string]: string;
            };
        } | {
            /**
             * Format: uri
             * @description URL from which the worker fetches the file at each run. Redirects are not followed
             */
            readonly url: string;
            /**
             * @description Character between the columns of a CSV file. Default: the one that the header uses
             * @enum {string}
             */
            readonly delimiter?: "," | ";" | "tab" | "|";
            /** @description Encoding of a text file, e.g. windows-1252. Default: detected */
            readonly encoding?: string;
            /** @description Name of the sheet of a workbook. Default: the first visible one */
            readonly sheet?: string;
            /** @description Name of the column with the number. Default: recognised by its name, else by its values */
            readonly phoneColumn?: string;
            /** @description Names of columns by the variables that they become */
            readonly map?: {
                readonly [key: string]: string;
            };
        } | {
            /** @description Chat id of the group whose participants are read at each run */
            readonly group: string;
        } | {
            /** @description The environment variable or the file from which the worker reads the PostgreSQL connection string */
            readonly connection: {
                /** @description Name of the variable. Only with an API key for every instance */
                readonly env: string;
            } | {
                /** @description Path of a file on the worker's machine, below the instance's folder in EVERPOST_SOURCES_DIR */
                readonly file: string;
            };
            /** @description The query, which runs read only. It returns the columns of a recipients' file */
            readonly query: string;
            /** @description Name of the column with the number. Default: recognised by its name, else by its values */
            readonly phoneColumn?: string;
            /** @description Names of columns by the variables that they become */
            readonly map?: {
                readonly [key: string]: string;
            };
        };
        readonly ScheduleRun: {
            /**
             * Format: date-time
             * @description The time of the occurrence
             */
            readonly at: string;
            /**
             * @description Why the run exists: the schedule, a trigger or a backfill
             * @enum {string}
             */
            readonly kind: "schedule" | "trigger" | "backfill";
            /**
             * @description State of the run. `pending`: its recipients are being read. `started`: its campaign or message is written; it is open until that has ended or was posted. `missed`: it could not begin in time
             * @enum {string}
             */
            readonly state: "pending" | "started" | "skipped" | "missed" | "failed";
            /** @description Id of the run's campaign, derived from schedule and time */
            readonly campaignId?: string;
            /**
             * @description Absent until the campaign is written
             * @enum {string}
             */
            readonly campaignState?: "draft" | "scheduled" | "running" | "paused" | "cancelling" | "completed" | "completed_with_failures" | "cancelled" | "expired";
            /** @description Id of the run's message, derived from schedule and time. Absent if the schedule sends a campaign */
            readonly messageId?: string;
            /**
             * @description Absent until the message is written
             * @enum {string}
             */
            readonly messageState?: "pending" | "sending" | "unknown" | "unresolved" | "accepted" | "sent" | "delivered" | "read" | "rejected" | "failed" | "no_account" | "expired" | "cancelled" | "suppressed" | "held_out";
            /** @description Why the run was skipped, missed or failed, or why its last try failed */
            readonly reason?: string;
            /** @description Explains the reason */
            readonly text?: string;
            /** @description How often the run failed */
            readonly tries: number;
            /**
             * Format: date-time
             * @description When the run was recorded
             */
            readonly createdAt: string;
            /**
             * Format: date-time
             * @description When the run ended
             */
            readonly endedAt?: string;
        };
        readonly ScheduleWithRuns: {
            /** @description Id of the schedule */
            readonly id: string;
            /** @enum {string} */
            readonly state: "active" | "paused" | "ended";
            /** @description The reason for the last pause or resume, from Temporal, or for the end */
            readonly note?: string;
            /** @description The next times, from Temporal. Absent while the schedule is paused or Temporal is unavailable */
            readonly nextRuns?: readonly string[];
            /** @description False while Temporal does not have the last change */
            readonly isSynced: boolean;
            /** @description Why Temporal rejects the schedule */
            readonly problem?: string;
            /**
             * Format: date-time
             * @description When the schedule was created
             */
            readonly createdAt: string;
            /** @description Times without a campaign or message. Temporal counts the overlapped ones since it has the schedule */
            readonly counts: {
                /** @description Times that began too late: Temporal or the workers were away */
                readonly missed: number;
                /** @description Times that Temporal skipped, since an earlier campaign had not ended */
                readonly overlapped: number;
                /** @description Runs that failed */
                readonly failed: number;
            };
            /** @description The latest run, if it was missed, failed, or fails and is retried. Absent once a later run started */
            readonly failure?: {
                /**
                 * Format: date-time
                 * @description The time of the occurrence
                 */
                readonly at: string;
                /**
                 * @description State of the run. `pending`: its recipients are being read. `started`: its campaign or message is written; it is open until that has ended or was posted. `missed`: it could not begin in time
                 * @enum {string}
                 */
                readonly state: "pending" | "started" | "skipped" | "missed" | "failed";
                /** @description Why the run was skipped, missed or failed, or why its last try failed */
                readonly reason?: string;
                /** @description Explains the reason */
                readonly text?: string;
            };
            /** @description The open run that the overlap policy compares the next time with */
            readonly blockedBy?: {
                /**
                 * Format: date-time
                 * @description The time of the occurrence
                 */
                readonly at: string;
                /** @description Id of the run's campaign, derived from schedule and time */
                readonly campaignId?: string;
                /** @description Id of the run's message, derived from schedule and time. Absent if the schedule sends a campaign */
                readonly messageId?: string;
            };
            readonly campaign?: components["schemas"]["ScheduledCampaign"];
            readonly recipients?: components["schemas"]["ScheduleRecipients"];
            /** @description The message that each run sends, in place of `campaign` and `recipients` */
            readonly message?: components["schemas"]["ScheduledMessage"];
            /** @description Minute, hour, day of month, month, day of week, e.g. 0 9 * * MON; or @daily and the like. Several: the times of all of them */
            readonly cron: readonly string[];
            /** @description IANA name in any case, e.g. Europe/Lisbon. Default: UTC */
            readonly timezone?: string;
            /** @description Temporal delays each start by a random part of this duration. Default: none */
            readonly jitter?: string;
            /**
             * Format: date-time
             * @description No run before this time
             */
            readonly startAt?: string;
            /**
             * Format: date-time
             * @description No run after this time
             */
            readonly endAt?: string;
            /**
             * @description What Temporal does while the campaign of an earlier time has not ended, or its message was not posted. `skip`: it skips the time. `buffer`: one waits. `allow`: both run. Default: skip
             * @enum {string}
             */
            readonly overlap?: "skip" | "buffer" | "allow";
            /** @description How late a run may begin, after an outage or while its recipients cannot be read. Default: 1h */
            readonly catchupWindow?: string;
            /** @description The latest runs, newest first, at most 20 */
            readonly runs: readonly components["schemas"]["ScheduleRun"][];
        };
        /** @description The campaign that each run sends, without its times */
        readonly ScheduledCampaign: {
            /** @description Display name in lists, reports and Temporal's Web UI. One line of at most 200 characters */
            readonly name?: string;
            /** @description Name of the configured instance. Replaced by `instances` */
            readonly instance?: string;
            /** @description Names of the configured instances that share the recipients */
            readonly instances?: readonly string[];
            /**
             * @description `preferred`: a recipient gets the account of `instances` that talked with him last, and another one if it cannot send for longer than `moveAfter`. `required`: messages never move from an account that cannot send. Default: preferred
             * @enum {string}
             */
            readonly stickySender?: "preferred" | "required";
            /** @description How long after the last message an account stays the sender of a recipient. Default: 180d */
            readonly stickyFor?: string;
            /** @description How long an account cannot send before its pending messages move to another one. Default: 10m */
            readonly moveAfter?: string;
            readonly content?: components["schemas"]["ContentTemplate"];
            /** @description Contents that different recipients get, in place of `content`. A hash of the recipient decides: a campaign with the same names and shares gives the same recipients the same variant */
            readonly variants?: readonly components["schemas"]["CampaignVariant"][];
            /** @description Share of the recipients who get nothing and end `held_out`. It is taken first, by a hash of the recipient: a campaign with the same share holds out the same recipients. Default: none */
            readonly holdOut?: string;
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
             * @description What happens when it cannot be determined whether the gateway accepted a message. Default: manual
             * @enum {string}
             */
            readonly onUnknown?: "manual" | "auto";
            /** @description The campaign fills the gateway's queue up to this many items from all sources. Default: by priority */
            readonly highWater?: number;
            /** @description Country of phone numbers without + or 00. Default: they are read as international numbers */
            readonly defaultCountry?: string;
            /** @description True starts the campaign although more than 5 % of the lines of its recipients were rejected. Default: false */
            readonly acceptRejected?: boolean;
            readonly autoPause?: components["schemas"]["AutoPause"];
            /** @description When the campaign sends. Default: whenever its instance does */
            readonly sendingWindows?: components["schemas"]["SendingWindows"];
            readonly limits?: components["schemas"]["CampaignLimits"];
            /** @description How long the gateway shows typing before it sends each text, poll, file or forward, 1s to 20s. Default: not shown */
            readonly typing?: string;
            /** @description Timezone of recipients without their own, if `sendingWindows` use the recipients' clocks. Default: they are rejected */
            readonly defaultTimezone?: string;
            /** @description For how long after the campaign's message an incoming message of its recipient counts as a reply, or as an opt-out. Default: 72h */
            readonly repliesFor?: string;
            /** @description A text of yours that responses repeat */
            readonly reference?: string;
        };
        /** @description The message that each run sends, without its times */
        readonly ScheduledMessage: {
            /** @description Name of the configured instance */
            readonly instance: string;
            /** @description Phone number, international or of the `defaultCountry`, or a chat id that ends in @c.us, @g.us or @lid */
            readonly to?: string;
            /** @description Country of phone numbers without + or 00. Default: they are read as international numbers */
            readonly defaultCountry?: string;
            readonly content: components["schemas"]["TextContent"] | components["schemas"]["FileContent"] | components["schemas"]["StatusContent"] | components["schemas"]["PollContent"] | components["schemas"]["LocationContent"] | components["schemas"]["ContactContent"] | components["schemas"]["ForwardContent"] | components["schemas"]["TemplateContent"];
            /** @description How long the gateway shows typing before it sends a text, poll, file or forward, 1s to 20s: its `typingTime`. Default: not shown */
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
             * @description What happens when it cannot be determined whether the gateway accepted the message. Default: manual
             * @enum {string}
             */
            readonly onUnknown?: "manual" | "auto";
            /** @description A text of yours that responses repeat */
            readonly reference?: string;
            /**
             * Format: uri
             * @description URL to which everpost posts every change of the message's state
             */
            readonly statusCallback?: string;
            /** @description How long after its time the message may be posted. Default: 24h */
            readonly expiresIn?: string;
        };
        readonly SecretRotation: {
            /**
             * @description How long the former secret also signs. Default: 24h
             * @default 24h
             */
            readonly keepFormerFor: string;
        };
        readonly SendRequest: {
            /** @description Name of the configured instance. Replaced by `instances` */
            readonly instance?: string;
            /** @description Phone number, international or of the `defaultCountry`, or a chat id that ends in @c.us, @g.us or @lid */
            readonly to?: string;
            /** @description Country of phone numbers without + or 00. Default: they are read as international numbers */
            readonly defaultCountry?: string;
            readonly content: components["schemas"]["TextContent"] | components["schemas"]["FileContent"] | components["schemas"]["StatusContent"] | components["schemas"]["PollContent"] | components["schemas"]["LocationContent"] | components["schemas"]["ContactContent"] | components["schemas"]["ForwardContent"] | components["schemas"]["TemplateContent"];
            /** @description True for a one-time code: its texts are shown nowhere, are encrypted where keys are set, and are removed once nothing can need them. Not for a location, a contact or a forward. Default: false */
            readonly sensitive?: boolean;
            /**
             * Format: date-time
             * @description The message is not posted before this time. Default: at once
             */
            readonly sendAt?: string;
            /**
             * Format: date-time
             * @description The message is not posted after this time. Default: 24 hours after the request, or after sendAt
             */
            readonly expiresAt?: string;
            /** @description How long the gateway shows typing before it sends a text, poll, file or forward, 1s to 20s: its `typingTime`. Default: not shown */
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
             * @description What happens when it cannot be determined whether the gateway accepted the message. Default: manual
             * @enum {string}
             */
            readonly onUnknown?: "manual" | "auto";
            /** @description A text of yours that responses repeat */
            readonly reference?: string;
            /**
             * Format: uri
             * @description URL to which everpost posts every change of the message's state
             */
            readonly statusCallback?: string;
            /** @description Names of instances. The message is sent by the one that talked with the recipient last, or that can send it soonest */
            readonly instances?: readonly string[];
        };
        readonly SendingWindows: {
            /** @description IANA name, e.g. Europe/Lisbon; or `recipient`: the local time of each recipient */
            readonly timezone: "recipient" | string;
            /** @description Times of day: open in `sendingWindows`, closed in `quietHours` */
            readonly windows: readonly components["schemas"]["DailyWindow"][];
            /** @description Dates that are closed all day */
            readonly holidays?: readonly string[];
        };
        readonly SetTemplateReview: {
            /** @description APPROVED, REJECTED, FAILED, PAUSED, PENDING, or a status that the gateway adds later */
            readonly status: string;
            /** @description Why the review has this status */
            readonly reason?: string;
            /** @description The gateway's id, if everpost could not read it */
            readonly templateId?: string;
        };
        readonly StartCampaign: {
            /** @description True starts the campaign although more than 5 % of the lines of its recipients were rejected. Default: false */
            readonly acceptRejected?: boolean;
        };
        /** @description A message that is not in the ledger yet */
        readonly StartedMessage: {
            readonly id: string;
            /** @enum {string} */
            readonly state: "pending" | "sending" | "unknown" | "unresolved" | "accepted" | "sent" | "delivered" | "read" | "rejected" | "failed" | "no_account" | "expired" | "cancelled" | "suppressed" | "held_out";
            readonly instance?: string;
            readonly kind?: string;
            readonly reason?: string;
            /** Format: date-time */
            readonly createdAt: string;
            readonly evidence: readonly unknown[];
            readonly attempts: readonly unknown[];
            readonly edits: readonly unknown[];
        };
        /** @description Beta: the gateway grants access to statuses on request */
        readonly StatusContent: {
            /** @constant */
            readonly kind: "status";
            /** @description At most 500 characters */
            readonly text: string;
            /** @description Hex colour other than white */
            readonly backgroundColor?: string;
            /**
             * @description Font of the text
             * @enum {string}
             */
            readonly font?: "SERIF" | "SANS_SERIF" | "NORICAN_REGULAR" | "BRYNDAN_WRITE" | "OSWALD_HEAVY";
            /** @description Phone numbers or chat ids of the contacts who may see the status. Empty: all */
            readonly participants?: readonly string[];
        };
        readonly StoredFile: {
            readonly fileId: string;
            readonly sha256: string;
            readonly contentType: string;
            readonly sizeBytes: number;
            /**
             * Format: date-time
             * @description The file is kept until this time, and at least 30 days after any message that names it expires
             */
            readonly expiresAt: string;
        };
        readonly Story: {
            /** @description The instance that received the story */
            readonly instance: string;
            /** @description The gateway's id of the story */
            readonly idMessage: string;
            /**
             * Format: date-time
             * @description By the gateway's clock
             */
            readonly at: string;
            /**
             * Format: date-time
             * @description When the story was stored
             */
            readonly seenAt: string;
            /** @description The response of getIncomingStories */
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
            /** @description Id of the entry */
            readonly id: string;
            /** @description The suppressed chat */
            readonly chatId: string;
            /** @description The instance that the entry is for. Absent: all instances */
            readonly instance?: string;
            /**
             * @description `marketing`: marketing messages are blocked. `all`: transactional messages as well
             * @enum {string}
             */
            readonly scope: "marketing" | "all";
            /**
             * @description Origin of the entry: a STOP word, an operator, or an import
             * @enum {string}
             */
            readonly source: "stop_word" | "operator" | "import";
            /**
             * Format: date-time
             * @description For a STOP word: when the gateway received it
             */
            readonly since: string;
            /**
             * Format: date-time
             * @description When the entry was recorded
             */
            readonly recordedAt: string;
            /** @description The word as the recipient wrote it */
            readonly word?: string;
            /** @description The gateway's id of the message with the word */
            readonly idMessage?: string;
            /** @description The text of the request */
            readonly note?: string;
            /**
             * Format: date-time
             * @description Present if the entry was removed
             */
            readonly removedAt?: string;
            /**
             * @description What removed the entry
             * @enum {string}
             */
            readonly removedBy?: "start_word" | "operator";
            /** @description The word that removed the entry */
            readonly removedWord?: string;
            /** @description The gateway's id of the message with that word */
            readonly removedIdMessage?: string;
            /**
             * Format: date-time
             * @description When the recipient said START since. This does not remove an entry of an operator or a file
             */
            readonly startWordAt?: string;
        };
        readonly SuppressionList: {
            readonly items: readonly components["schemas"]["Suppression"][];
            readonly cursor?: string;
        };
        readonly Template: {
            /** @description The instance of the template */
            readonly instance: string;
            /** @description Name of the template, unique in the account */
            readonly elementName: string;
            /**
             * @description State of the submission. `unknown`: its response was lost
             * @enum {string}
             */
            readonly state: "pending" | "sending" | "unknown" | "submitted" | "refused";
            /** @description Status of the review: PENDING, APPROVED, REJECTED, FAILED, PAUSED, or a status that the gateway adds later */
            readonly status?: string;
            /**
             * Format: date-time
             * @description When the review got this status
             */
            readonly statusSince?: string;
            /** @description Why the template was refused or rejected, or failed */
            readonly reason?: string;
            /** @description The gateway's id */
            readonly templateId?: string;
            /** @description Increases with each change */
            readonly version: number;
            /** @description The submitted template */
            readonly definition: {
                readonly [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @description When the template was created
             */
            readonly createdAt: string;
            /**
             * Format: date-time
             * @description When the gateway accepted the template
             */
            readonly submittedAt?: string;
            /**
             * Format: date-time
             * @description When the gateway was last polled
             */
            readonly checkedAt?: string;
            /**
             * Format: date-time
             * @description When the gateway is polled next
             */
            readonly nextCheckAt?: string;
            /** @description Code of the failure of the last poll, see docs/errors.md */
            readonly checkCode?: string;
            /** @description The gateway's text for that failure */
            readonly checkText?: string;
            /**
             * Format: date-time
             * @description When polling stopped without a decision. Submit the template again to continue
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
            /** @description Warnings of the submission */
            readonly warnings?: readonly components["schemas"]["TemplateFinding"][];
        };
        /** @description The message waits until the template is approved */
        readonly TemplateContent: {
            /** @constant */
            readonly kind: "template";
            /** @description Name of a template that was submitted through everpost */
            readonly elementName?: string;
            /** @description The gateway's id of a template, which may have been created elsewhere */
            readonly templateId?: string;
            /** @description Values for the variables of the template's body, in their order */
            readonly params?: readonly string[];
        };
        /** @description The fields of createTemplate under the gateway's names: see operation.createTemplate */
        readonly TemplateDefinition: {
            readonly [key: string]: unknown;
        };
        readonly TemplateFinding: {
            /** @description Path of the field, e.g. buttons[0].text */
            readonly path: string;
            readonly message: string;
            /** @description What the rule allows */
            readonly limit?: number | string;
            /** @description What the template contains */
            readonly found?: unknown;
        };
        readonly TemplateList: {
            readonly items: readonly components["schemas"]["TemplateListItem"][];
            readonly cursor?: string;
        };
        readonly TemplateListItem: {
            /** @description The instance of the template */
            readonly instance: string;
            /** @description Name of the template, unique in the account */
            readonly elementName: string;
            /**
             * @description State of the submission. `unknown`: its response was lost
             * @enum {string}
             */
            readonly state: "pending" | "sending" | "unknown" | "submitted" | "refused";
            /** @description Status of the review: PENDING, APPROVED, REJECTED, FAILED, PAUSED, or a status that the gateway adds later */
            readonly status?: string;
            /**
             * Format: date-time
             * @description When the review got this status
             */
            readonly statusSince?: string;
            /** @description Why the template was refused or rejected, or failed */
            readonly reason?: string;
            /** @description The gateway's id */
            readonly templateId?: string;
            /** @description Increases with each change */
            readonly version: number;
            /** @description The submitted template */
            readonly definition: {
                readonly [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @description When the template was created
             */
            readonly createdAt: string;
            /**
             * Format: date-time
             * @description When the gateway accepted the template
             */
            readonly submittedAt?: string;
            /**
             * Format: date-time
             * @description When the gateway was last polled
             */
            readonly checkedAt?: string;
            /**
             * Format: date-time
             * @description When the gateway is polled next
             */
            readonly nextCheckAt?: string;
            /** @description Code of the failure of the last poll, see docs/errors.md */
            readonly checkCode?: string;
            /** @description The gateway's text for that failure */
            readonly checkText?: string;
            /**
             * Format: date-time
             * @description When polling stopped without a decision. Submit the template again to continue
             */
            readonly unwatchedSince?: string;
        };
        readonly TemplateValidation: {
            /** @description True if there are no errors. Warnings do not count */
            readonly ok: boolean;
            /** @description Problems for which the gateway would reject the template */
            readonly errors: readonly components["schemas"]["TemplateFinding"][];
            /** @description Problems that do not prevent a submission */
            readonly warnings: readonly components["schemas"]["TemplateFinding"][];
        };
        readonly TestSend: {
            /** @description The number or chat that gets the message, in general your own */
            readonly to: string;
            /** @description Country of phone numbers without + or 00. Default: they are read as international numbers */
            readonly defaultCountry?: string;
            /** @description Line of the recipients' file whose values the message contains. Default: the first recipient */
            readonly line?: number;
            /** @description The variant that is sent. Default: that of the recipient on the line */
            readonly variant?: string;
        };
        readonly TextContent: {
            /** @constant */
            readonly kind: "text";
            /** @description At most 20,000 characters, without a byte order mark */
            readonly text: string;
            /** @description The gateway's id of the message to quote */
            readonly quotedMessageId?: string;
            /** @description False sends the text without a link preview. Default: true */
            readonly linkPreview?: boolean;
            /** @description Milliseconds, 1,000 to 20,000 */
            readonly typingTime?: number;
        };
        readonly Timeline: {
            /** @description The contact, as `to` was read */
            readonly chatId: string;
            readonly items: readonly components["schemas"]["TimelineItem"][];
            readonly cursor?: string;
        };
        readonly TimelineItem: components["schemas"]["TimelineMessage"] | components["schemas"]["TimelineReceived"] | components["schemas"]["TimelinePhone"] | components["schemas"]["TimelinePossibleOptOut"] | components["schemas"]["TimelineSuppressed"] | components["schemas"]["TimelineReleased"];
        /** @description A message that everpost sends to the contact */
        readonly TimelineMessage: {
            /** @constant */
            readonly kind: "message";
            /**
             * Format: date-time
             * @description The time by which the list is sorted: of a message its request, of what was received its arrival
             */
            readonly at: string;
            readonly message: {
                /** @description Id of the message */
                readonly id: string;
                /** @description The instance that sends it */
                readonly instance: string;
                /** @description The gateway's id of the chat. Absent for a status */
                readonly chatId?: string;
                /** @description The content, with the text that is, or will be, on the phone: an edit that waits or is confirmed replaces the posted text. The texts of a sensitive message are shown as `••••` */
                readonly content: components["schemas"]["TextContent"] | components["schemas"]["FileContent"] | components["schemas"]["StatusContent"] | components["schemas"]["PollContent"] | components["schemas"]["LocationContent"] | components["schemas"]["ContactContent"] | components["schemas"]["ForwardContent"] | components["schemas"]["TemplateContent"];
                /** @description The text that was posted, if an edit replaces it on the phone */
                readonly postedText?: string;
                /** @description True if its texts are not shown */
                readonly sensitive?: boolean;
                /** @description Characters of the texts that are not shown */
                readonly textLength?: number;
                /**
                 * Format: date-time
                 * @description When its texts were removed, since nothing needed them any more
                 */
                readonly textRemovedAt?: string;
                /** @enum {string} */
                readonly state: "pending" | "sending" | "unknown" | "unresolved" | "accepted" | "sent" | "delivered" | "read" | "rejected" | "failed" | "no_account" | "expired" | "cancelled" | "suppressed" | "held_out";
                /** @description Increases with each change */
                readonly version: number;
                /** @description Order of dispatch within the instance */
                readonly priority: string;
                /** @description `marketing` or `transactional` */
                readonly category: string;
                /** @description What happens if the outcome cannot be determined */
                readonly onUnknown: string;
                /** @description The caller's own reference */
                readonly reference?: string;
                /** @description URL to which every change of the state is posted */
                readonly statusCallback?: string;
                /** @description The requester: key:<name>, loopback (no key was needed), schedule:<id> or temporal. Absent for a campaign's message */
                readonly requestedBy?: string;
                /** @description The gateway's id */
                readonly idMessage?: string;
                /** @description Stable word for why the message ended in this state */
                readonly reason?: string;
                /** @description The gateway's own words */
                readonly reasonText?: string;
                /**
                 * Format: date-time
                 * @description When the message was requested
                 */
                readonly createdAt: string;
                /**
                 * Format: date-time
                 * @description The message is not posted before this time, if the request has one
                 */
                readonly sendAt?: string;
                /**
                 * Format: date-time
                 * @description The message is not posted after this time
                 */
                readonly expiresAt: string;
                /** @description Why a pending message waits */
                readonly waiting?: {
                    /** @description Why it waits: a code of docs/errors.md, docs/campaigns.md or docs/troubleshooting.md */
                    readonly code: string;
                    /** Format: date-time */
                    readonly since: string;
                    readonly text?: string;
                    /**
                     * Format: date-time
                     * @description When it ends, if only time decides
                     */
                    readonly until?: string;
                    /** @description A command that ends it, or shows what to do */
                    readonly remedy?: string;
                    /**
                     * Format: date-time
                     * @description When a worker estimated it, for what only a worker knows
                     */
                    readonly asOf?: string;
                    /** @description The identical message to the same chat whose outcome is unknown */
                    readonly identical?: string;
                };
                /**
                 * Format: date-time
                 * @description By everpost's clock, like the next three. These times never decrease
                 */
                readonly acceptedAt?: string;
                /**
                 * Format: date-time
                 * @description When the first receipt that implies `sent` arrived
                 */
                readonly sentAt?: string;
                /**
                 * Format: date-time
                 * @description When the first receipt that implies `delivered` arrived
                 */
                readonly deliveredAt?: string;
                /**
                 * Format: date-time
                 * @description When the first receipt that implies `read` arrived
                 */
                readonly readAt?: string;
                /**
                 * Format: date-time
                 * @description By the gateway's clock, in whole seconds
                 */
                readonly gatewaySentAt?: string;
                /**
                 * Format: date-time
                 * @description By the gateway's clock
                 */
                readonly gatewayDeliveredAt?: string;
                /**
                 * Format: date-time
                 * @description By the gateway's clock
                 */
                readonly gatewayReadAt?: string;
                /**
                 * Format: date-time
                 * @description When the message reached an end state
                 */
                readonly endedAt?: string;
                /**
                 * Format: date-time
                 * @description Until when an edit can be posted. Present once the message is sent
                 */
                readonly editableUntil?: string;
                /** @description The workflow that sends the message, unless it is `message:<id>` */
                readonly workflowId?: string;
                /**
                 * Format: date-time
                 * @description Until when the gateway may still send the message. Only while it is accepted without a receipt
                 */
                readonly mayLeaveUntil?: string;
                /** @description The campaign that the message belongs to */
                readonly campaignId?: string;
                /** @description The campaign that the message is a test of. It is in none of the campaign's counts */
                readonly testOf?: string;
                /** @description The variant of the campaign's content that it has */
                readonly variant?: string;
                /** @description Line of the recipient in the campaign's file; of a test, the line whose values it contains */
                readonly line?: number;
                readonly edits: readonly {
                    /** @description Id of the edit */
                    readonly id: string;
                    /** @enum {string} */
                    readonly state: "pending" | "sending" | "posted" | "edited" | "too_late" | "refused" | "unconfirmed" | "superseded" | "not_possible";
                    /**
                     * @description `before_send`: the text was replaced before the message was posted. `gateway`: the sent message was edited
                     * @enum {string}
                     */
                    readonly via?: "before_send" | "gateway";
                    /** @description The complete new text. Of a sensitive message: `••••` */
                    readonly text?: string;
                    /** @description Characters of a text that is not shown */
                    readonly textLength?: number;
                    /**
                     * Format: date-time
                     * @description When the edit was requested
                     */
                    readonly requestedAt?: string;
                    /**
                     * Format: date-time
                     * @description When the gateway accepted the edit
                     */
                    readonly postedAt?: string;
                    /**
                     * Format: date-time
                     * @description When the edit reached an end state
                     */
                    readonly endedAt?: string;
                    /** @description The gateway's id of the edited message */
                    readonly idMessageGiven?: string;
                    /** @description The id in the gateway's response to the edit */
                    readonly idMessageReturned?: string;
                    /** @description Stable word for why the edit ended in this state */
                    readonly reason?: string;
                }[];
            };
        };
        /** @description Written to the contact on the phone of the account */
        readonly TimelinePhone: {
            /** @constant */
            readonly kind: "phone";
            /**
             * Format: date-time
             * @description The time by which the list is sorted: of a message its request, of what was received its arrival
             */
            readonly at: string;
            /** @description The account */
            readonly instance: string;
            /** @description The chat */
            readonly chatId: string;
            /**
             * @description `edit`, `deletion` and `reaction` refer to an earlier message, `call` is a call or its end
             * @enum {string}
             */
            readonly what: "message" | "edit" | "deletion" | "reaction" | "call";
            /** @description The gateway's id */
            readonly idMessage?: string;
            /** @description The gateway's `typeMessage`; of a call its `status` */
            readonly type?: string;
            /** @description What was typed or chosen; of a reaction, the emoji */
            readonly text?: string;
            /** @description How the sender calls themselves. Not verified */
            readonly name?: string;
            /** @description Name of the file */
            readonly fileName?: string;
            /** @description The gateway's link to the file */
            readonly fileUrl?: string;
            /** @description The gateway's id of the message that it refers to or quotes */
            readonly refersTo?: string;
        };
        /** @description A message of the contact that may mean STOP */
        readonly TimelinePossibleOptOut: {
            /** @constant */
            readonly kind: "possible_opt_out";
            /**
             * Format: date-time
             * @description The time by which the list is sorted: of a message its request, of what was received its arrival
             */
            readonly at: string;
            readonly possibleOptOut: components["schemas"]["PossibleOptOut"];
        };
        /** @description The contact wrote, reacted or called */
        readonly TimelineReceived: {
            /** @constant */
            readonly kind: "received";
            /**
             * Format: date-time
             * @description The time by which the list is sorted: of a message its request, of what was received its arrival
             */
            readonly at: string;
            /** @description The account */
            readonly instance: string;
            /** @description The chat */
            readonly chatId: string;
            /**
             * @description `edit`, `deletion` and `reaction` refer to an earlier message, `call` is a call or its end
             * @enum {string}
             */
            readonly what: "message" | "edit" | "deletion" | "reaction" | "call";
            /** @description The gateway's id */
            readonly idMessage?: string;
            /** @description The gateway's `typeMessage`; of a call its `status` */
            readonly type?: string;
            /** @description What was typed or chosen; of a reaction, the emoji */
            readonly text?: string;
            /** @description How the sender calls themselves. Not verified */
            readonly name?: string;
            /** @description Name of the file */
            readonly fileName?: string;
            /** @description The gateway's link to the file */
            readonly fileUrl?: string;
            /** @description The gateway's id of the message that it refers to or quotes */
            readonly refersTo?: string;
        };
        /** @description An entry of the suppression list was removed */
        readonly TimelineReleased: {
            /** @constant */
            readonly kind: "released";
            /**
             * Format: date-time
             * @description The time by which the list is sorted: of a message its request, of what was received its arrival
             */
            readonly at: string;
            readonly suppression: components["schemas"]["Suppression"];
        };
        /** @description An entry of the suppression list was added */
        readonly TimelineSuppressed: {
            /** @constant */
            readonly kind: "suppressed";
            /**
             * Format: date-time
             * @description The time by which the list is sorted: of a message its request, of what was received its arrival
             */
            readonly at: string;
            readonly suppression: components["schemas"]["Suppression"];
        };
        readonly UpdateCampaign: {
            /** @description The campaign fills the gateway's queue up to this many items from all sources. Default: by priority */
            readonly highWater?: number;
            /** @description The new content, of the same kind, for every recipient who was not posted to yet. Recipients whose own message was edited keep their text. A campaign with variants needs `variant`, too */
            readonly content?: components["schemas"]["ContentTemplate"];
            /** @description The variant whose content is changed */
            readonly variant?: string;
            /** @description The variant that every recipient gets who was not posted to yet. null: by the shares again */
            readonly winner?: string | null;
            /**
             * Format: date-time
             * @description No recipient is posted to after this time
             */
            readonly deadline?: string;
            /** @description Display name in lists, reports and Temporal's Web UI. One line of at most 200 characters */
            readonly name?: string;
            /**
             * Format: date-time
             * @description Nothing is posted before this time. Only for a campaign that has not begun
             */
            readonly startAt?: string;
            /** @description When the campaign sends. null: whenever its instance does */
            readonly sendingWindows?: components["schemas"]["SendingWindows"] | null;
            /** @description The campaign's limits. null: none */
            readonly limits?: components["schemas"]["CampaignLimits"] | null;
            /** @description For how long after the campaign's message an incoming message of its recipient counts as a reply, or as an opt-out. Default: 72h */
            readonly repliesFor?: string;
            /** @description The whole new list of accounts. Messages of a removed account that were not posted move to the others at once */
            readonly instances?: readonly string[];
        };
        /** @description The fields that change. Null removes one, so that its default holds */
        readonly UpdateSchedule: {
            readonly campaign?: components["schemas"]["ScheduledCampaign"];
            readonly recipients?: components["schemas"]["ScheduleRecipients"];
            /** @description The message that each run sends, in place of `campaign` and `recipients` */
            readonly message?: components["schemas"]["ScheduledMessage"];
            /** @description Minute, hour, day of month, month, day of week, e.g. 0 9 * * MON; or @daily and the like. Several: the times of all of them */
            readonly cron?: readonly string[];
            readonly timezone?: string | null;
            readonly jitter?: string | null;
            readonly startAt?: string | null;
            readonly endAt?: string | null;
            readonly overlap?: ("skip" | "buffer" | "allow") | null;
            readonly catchupWindow?: string | null;
        };
        readonly ValidateTemplate: {
            readonly template: components["schemas"]["TemplateDefinition"];
        };
        readonly VariantFigure: {
            /** @description Recipients */
            readonly count: number;
            /** @description Their share of the posted ones */
            readonly share: number;
            /** @description Lower end of Wilson's interval for 95 % */
            readonly low: number;
            /** @description Upper end of the interval */
            readonly high: number;
        };
        readonly VariantResults: {
            /** @description Recipients whose message has the variant, in any state */
            readonly recipients: number;
            /** @description Recipients whose message was posted and has an outcome; the shares are of these */
            readonly posted: number;
            /** @description Delivered or read */
            readonly delivered: components["schemas"]["VariantFigure"];
            readonly read: components["schemas"]["VariantFigure"];
            readonly replied: components["schemas"]["VariantFigure"];
            readonly optedOut: components["schemas"]["VariantFigure"];
            /** @description `failed`, `no_account` or `rejected` */
            readonly failed: components["schemas"]["VariantFigure"];
        };
        /** @description Remove every item from the instance's queue, also those of other programs. Nothing is posted meanwhile. Messages that the gateway had accepted and not sent become unresolved with the reason QUEUE_CLEARED, or cancelled where two readings of the queue prove that they are gone; none is posted again automatically. (once) Requires the scopes send, admin. */
        readonly "operation.clearMessagesQueue": Record<string, never>;
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
            /** @description The list, or a text that contains it as JSON, as in samples. AUTHENTICATION needs an OTP button */
            readonly buttons?: string | readonly {
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
        /** @description Delete a fetched notification. The response is false if it does not exist any more. (repeatable) Requires the scopes send, admin. */
        readonly "operation.deleteNotification": {
            /** @description As receiveNotification answered it */
            readonly receiptId: number;
        };
        /** @description Edit the text of a message sent through the API, within 15 minutes of sending. A later edit also gets a 200, and a notification then rejects it. (repeatable) */
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
        /** @description Read the data of a group chat. The invitation link is empty unless the account administers the group. (repeatable) Requires the scopes send, read. */
        readonly "operation.getGroupData": {
            /** @description Group chat id: <group_id>@g.us */
            readonly groupId: string;
        };
        /** @description List incoming story messages. (repeatable) Requires the scopes send, read. */
        readonly "operation.getIncomingStories": {
            /** @description How far back, minutes; the gateway assumes 1440 */
            readonly minutes?: number;
        };
        /** @description Read one message of a chat, with its status and whether it was edited. (repeatable) Requires the scopes send, read. */
        readonly "operation.getMessage": {
            /** @description Chat id: <number>@c.us, <group_id>@g.us (a hyphen is allowed) or <digits>@lid */
            readonly chatId: string;
            /** @description Message id, opaque */
            readonly idMessage: string;
        };
        /** @description Read the settings of the instance. (repeatable) Requires the scopes send, read. */
        readonly "operation.getSettings": Record<string, never>;
        /** @description Read the state of the account: authorized, notAuthorized, blocked, sleepMode, starting, yellowCard, or a newer state. (repeatable) Requires the scopes send, read. */
        readonly "operation.getStateInstance": Record<string, never>;
        /** @description Read one template by its id, with the status of its review. (repeatable) Requires the scopes send, read. */
        readonly "operation.getTemplateById": {
            /** @description The template's id, opaque */
            readonly templateId: string;
        };
        /** @description List all templates of the account with the status of their reviews. (repeatable) Requires the scopes send, read. */
        readonly "operation.getTemplates": Record<string, never>;
        /** @description List recently sent messages, newest first. A missing message may still have been sent. (repeatable) Requires the scopes send, read. */
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
        /** @description Restart the instance, which takes up to five minutes. Its queue is kept, as far as is known, and its order proves nothing about earlier messages. (once) Requires the scopes send, admin. */
        readonly "operation.reboot": Record<string, never>;
        /** @description Fetch the oldest notification. It is repeated until it is deleted. Needs an empty webhookUrl. (repeatable) Requires the scopes send, read, admin. */
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
        /** @description Change settings of the instance. The instance restarts, and a change may take five minutes to apply. (once) Requires the scopes send, admin. */
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
        /** @description List the items waiting in the send queue, oldest first. Statuses, typing notifications and templates are not listed. (repeatable) Requires the scopes send, read. */
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
export type AcceptedOptOut = components['schemas']['AcceptedOptOut'];
export type AddSuppression = components['schemas']['AddSuppression'];
export type AddedSuppression = components['schemas']['AddedSuppression'];
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
export type BegunAmendment = components['schemas']['BegunAmendment'];
export type BegunMessage = components['schemas']['BegunMessage'];
export type Caller = components['schemas']['Caller'];
export type Campaign = components['schemas']['Campaign'];
export type CampaignAccount = components['schemas']['CampaignAccount'];
export type CampaignDefinition = components['schemas']['CampaignDefinition'];
export type CampaignLimits = components['schemas']['CampaignLimits'];
export type CampaignList = components['schemas']['CampaignList'];
export type CampaignPlan = components['schemas']['CampaignPlan'];
export type CampaignProgress = components['schemas']['CampaignProgress'];
export type CampaignResponse = components['schemas']['CampaignResponse'];
export type CampaignSummary = components['schemas']['CampaignSummary'];
export type CampaignVariant = components['schemas']['CampaignVariant'];
export type Cancellation = components['schemas']['Cancellation'];
export type Chat = components['schemas']['Chat'];
export type ChatList = components['schemas']['ChatList'];
export type ChatMark = components['schemas']['ChatMark'];
export type CheckedRecipients = components['schemas']['CheckedRecipients'];
export type ContactContent = components['schemas']['ContactContent'];
export type ContentTemplate = components['schemas']['ContentTemplate'];
export type DailyWindow = components['schemas']['DailyWindow'];
export type Edit = components['schemas']['Edit'];
export type EditRequest = components['schemas']['EditRequest'];
export type EndpointDelivery = components['schemas']['EndpointDelivery'];
export type EndpointDeliveryList = components['schemas']['EndpointDeliveryList'];
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
export type Finding = components['schemas']['Finding'];
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
export type ListFacts = components['schemas']['ListFacts'];
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
export type PossibleOptOut = components['schemas']['PossibleOptOut'];
export type PossibleOptOutList = components['schemas']['PossibleOptOutList'];
export type Problem = components['schemas']['Problem'];
export type ReadChat = components['schemas']['ReadChat'];
export type Readiness = components['schemas']['Readiness'];
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
export type ResumeCampaign = components['schemas']['ResumeCampaign'];
export type ResumedInstance = components['schemas']['ResumedInstance'];
export type RetriedRecipients = components['schemas']['RetriedRecipients'];
export type RetryCampaign = components['schemas']['RetryCampaign'];
export type Schedule = components['schemas']['Schedule'];
export type ScheduleList = components['schemas']['ScheduleList'];
export type ScheduleNote = components['schemas']['ScheduleNote'];
export type ScheduleProgress = components['schemas']['ScheduleProgress'];
export type ScheduleRecipients = components['schemas']['ScheduleRecipients'];
export type ScheduleRun = components['schemas']['ScheduleRun'];
export type ScheduleWithRuns = components['schemas']['ScheduleWithRuns'];
export type ScheduledCampaign = components['schemas']['ScheduledCampaign'];
export type ScheduledMessage = components['schemas']['ScheduledMessage'];
export type SecretRotation = components['schemas']['SecretRotation'];
export type SendRequest = components['schemas']['SendRequest'];
export type SendingWindows = components['schemas']['SendingWindows'];
export type SetTemplateReview = components['schemas']['SetTemplateReview'];
export type StartCampaign = components['schemas']['StartCampaign'];
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
export type Timeline = components['schemas']['Timeline'];
export type TimelineItem = components['schemas']['TimelineItem'];
export type TimelineMessage = components['schemas']['TimelineMessage'];
export type TimelinePhone = components['schemas']['TimelinePhone'];
export type TimelinePossibleOptOut = components['schemas']['TimelinePossibleOptOut'];
export type TimelineReceived = components['schemas']['TimelineReceived'];
export type TimelineReleased = components['schemas']['TimelineReleased'];
export type TimelineSuppressed = components['schemas']['TimelineSuppressed'];
export type UpdateCampaign = components['schemas']['UpdateCampaign'];
export type UpdateSchedule = components['schemas']['UpdateSchedule'];
export type ValidateTemplate = components['schemas']['ValidateTemplate'];
export type VariantFigure = components['schemas']['VariantFigure'];
export type VariantResults = components['schemas']['VariantResults'];
export type OperationClearMessagesQueue = components['schemas']['operation.clearMessagesQueue'];
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
export type OperationReboot = components['schemas']['operation.reboot'];
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
                /** @description Only objects of this instance. Default: all */
                readonly instance?: string;
                /** @description Only messages in this state. Default: all */
                readonly state?: "pending" | "sending" | "unknown" | "unresolved" | "accepted" | "sent" | "delivered" | "read" | "rejected" | "failed" | "no_account" | "expired" | "cancelled" | "suppressed" | "held_out";
                /** @description Only messages that are in their state for this reason, e.g. LEDGER_WENT_BACK. Default: all */
                readonly reason?: string;
                /** @description Only messages to this phone number or chat id, in any of its spellings. Default: all */
                readonly to?: string;
                /** @description Country of phone numbers without + or 00. Default: they are read as international numbers */
                readonly defaultCountry?: string;
                /** @description Only messages with this reference. Default: all */
                readonly reference?: string;
                /** @description Only the message with this id of the gateway. Default: all */
                readonly idMessage?: string;
                /** @description The `cursor` of the previous page. Default: the first page */
                readonly cursor?: string;
                /** @description The most items in a page, 1 to 500. Default: 50 */
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
                /** @description A request with the same key and body gets the same response. The same key with another body is rejected with 422. Default: a new key */
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
            /** @description The message has begun, or had begun before with the same key */
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
                /** @description Wait until the message reaches this state or ends. After `timeoutMs` the response shows its current state */
                readonly wait?: "accepted" | "sent" | "delivered" | "read" | "end";
                /** @description How long the request waits, in milliseconds, at most 60000. Default: 25000 */
                readonly timeoutMs?: number;
            };
            readonly header?: never;
            readonly path: {
                /** @description Id of the message, or its beginning: at least 4 characters that begin no other */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The message */
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
                /** @description Id of the message, or its beginning: at least 4 characters that begin no other */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Whether the message was cancelled */
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
                /** @description Id of the message, or its beginning: at least 4 characters that begin no other */
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
            /** @description The message's state after the resolution */
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
                /** @description How long the request waits, in milliseconds, at most 60000. Default: 25000 */
                readonly timeoutMs?: number;
            };
            readonly header?: {
                /** @description A request with the same key and body gets the same response. The same key with another body is rejected with 422. Default: a new key */
                readonly "Idempotency-Key"?: string;
            };
            readonly path: {
                /** @description Id of the message, or its beginning: at least 4 characters that begin no other */
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
            /** @description The outcome of the edit */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Edit"];
                };
            };
            /** @description The edit has not ended. Repeat the request */
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
                /** @description How long the request waits, in milliseconds, at most 60000. Default: 0 */
                readonly timeoutMs?: number;
            };
            readonly header?: never;
            readonly path: {
                /** @description Id of the message, or its beginning: at least 4 characters that begin no other */
                readonly id: string;
                /** @description Id of the edit */
                readonly editId: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The outcome of the edit */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Edit"];
                };
            };
            /** @description The edit has not ended. Repeat the request */
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
            /** @description The file is stored */
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
                /** @description Only objects of this instance. Default: all */
                readonly instance?: string;
                /** @description Only campaigns in this state. Default: all */
                readonly state?: "draft" | "scheduled" | "running" | "paused" | "cancelling" | "completed" | "completed_with_failures" | "cancelled" | "expired";
                /** @description The `cursor` of the previous page. Default: the first page */
                readonly cursor?: string;
                /** @description The most items in a page, 1 to 500. Default: 50 */
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
                /** @description A request with the same key and body gets the same response. The same key with another body is rejected with 422. Default: a new key */
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
            /** @description The same request had created the campaign */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Campaign"];
                };
            };
            /** @description The new campaign */
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
                /** @description Wait until the campaign has ended. After `timeoutMs` the response shows its current state */
                readonly wait?: "ended";
                /** @description How long the request waits, in milliseconds, at most 60000. Default: 25000 */
                readonly timeoutMs?: number;
            };
            readonly header?: never;
            readonly path: {
                /** @description Id of the campaign, or its beginning: at least 4 characters that begin no other */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The campaign with its counts by state */
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
                /** @description True creates the campaign only for a plan. It accepts recipients and plans, never starts, is in no list, and is removed after six hours. Default: false */
                readonly planOnly?: "true";
            };
            readonly header?: never;
            readonly path: {
                /** @description Id of the campaign */
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
            /** @description The campaign existed, and now has this definition */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Campaign"];
                };
            };
            /** @description The new campaign */
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
                /** @description Id of the campaign */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The campaign and its recipients are deleted */
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
                /** @description How long the request waits, in milliseconds, at most 60000. Default: 45000 */
                readonly timeoutMs?: number;
            };
            readonly header?: {
                /** @description A request with the same key and body gets the same response. The same key with another body is rejected with 422. Default: a new key */
                readonly "Idempotency-Key"?: string;
            };
            readonly path: {
                /** @description Id of the campaign */
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
            /** @description The campaign after the change */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["CampaignProgress"];
                };
            };
            /** @description The request was accepted and is not done. Repeat it with the same key */
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
                /** @description Lines whose messages are shown, separated by commas, at most 20. Default: the first, the middle and the last one */
                readonly sampleLines?: string;
                /** @description When the simulated campaign starts. Default: now */
                readonly startAt?: string;
                /** @description Period of each row. Default: hours if the campaign takes at most three days, else days */
                readonly by?: "minute" | "hour" | "day";
                /** @description Hours of each day in which the phone or the gateway is unavailable, e.g. 22:00-06:00,12:00-13:00. Default: none */
                readonly offline?: string;
                /** @description IANA name of the timezone for `offline` and the rows. Default: the timezone of the campaign's windows, else of its instance, else UTC */
                readonly timezone?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description Id of the campaign, or its beginning: at least 4 characters that begin no other */
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
    readonly testCampaign: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description A request with the same key and body gets the same response. The same key with another body is rejected with 422. Default: a new key */
                readonly "Idempotency-Key"?: string;
            };
            readonly path: {
                /** @description Id of the campaign */
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
            /** @description The test has begun as a message of its own */
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
                /** @description Id of the campaign */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": components["schemas"]["StartCampaign"];
            };
        };
        readonly responses: {
            /** @description The campaign had been started before */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["CampaignProgress"];
                };
            };
            /** @description The campaign has started or is scheduled */
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
    readonly pauseCampaign: {
        readonly parameters: {
            readonly query?: {
                /** @description How long the request waits, in milliseconds, at most 60000. Default: 45000 */
                readonly timeoutMs?: number;
            };
            readonly header?: {
                /** @description A request with the same key and body gets the same response. The same key with another body is rejected with 422. Default: a new key */
                readonly "Idempotency-Key"?: string;
            };
            readonly path: {
                /** @description Id of the campaign */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The campaign is paused */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["CampaignResponse"];
                };
            };
            /** @description The request was accepted and is not done. Repeat it with the same key */
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
                /** @description How long the request waits, in milliseconds, at most 60000. Default: 45000 */
                readonly timeoutMs?: number;
            };
            readonly header?: {
                /** @description A request with the same key and body gets the same response. The same key with another body is rejected with 422. Default: a new key */
                readonly "Idempotency-Key"?: string;
            };
            readonly path: {
                /** @description Id of the campaign */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": components["schemas"]["ResumeCampaign"];
            };
        };
        readonly responses: {
            /** @description The campaign runs */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["CampaignResponse"];
                };
            };
            /** @description The request was accepted and is not done. Repeat it with the same key */
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
                /** @description How long the request waits, in milliseconds, at most 60000. Default: 45000 */
                readonly timeoutMs?: number;
            };
            readonly header?: {
                /** @description A request with the same key and body gets the same response. The same key with another body is rejected with 422. Default: a new key */
                readonly "Idempotency-Key"?: string;
            };
            readonly path: {
                /** @description Id of the campaign */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The campaign posts nothing more */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["CampaignResponse"];
                };
            };
            /** @description The request was accepted and is not done. Repeat it with the same key */
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
                /** @description How long the request waits, in milliseconds, at most 60000. Default: 45000 */
                readonly timeoutMs?: number;
            };
            readonly header?: {
                /** @description A request with the same key and body gets the same response. The same key with another body is rejected with 422. Default: a new key */
                readonly "Idempotency-Key"?: string;
            };
            readonly path: {
                /** @description Id of the campaign */
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
            /** @description How many recipients are retried */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["RetriedRecipients"];
                };
            };
            /** @description The request was accepted and is not done. Repeat it with the same key */
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
                /** @description How long the request waits, in milliseconds, at most 60000. Default: 45000 */
                readonly timeoutMs?: number;
            };
            readonly header?: {
                /** @description A request with the same key and body gets the same response. The same key with another body is rejected with 422. Default: a new key */
                readonly "Idempotency-Key"?: string;
            };
            readonly path: {
                /** @description Id of the campaign */
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
            /** @description The amendment has begun. `counts` shows its progress */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["BegunAmendment"];
                };
            };
            /** @description The request was accepted and is not done. Repeat it with the same key */
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
                /** @description Id of the campaign */
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
            /** @description How many recipients can be edited, and how many cannot */
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
                /** @description Id of the campaign, or its beginning: at least 4 characters that begin no other */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description All amendments of the campaign */
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
                /** @description Only recipients in one of these states, separated by commas. Default: all */
                readonly state?: string;
                /** @description Only recipients with this reason. Default: all */
                readonly reason?: string;
                /** @description Only recipients who replied, or who wrote a STOP or what may be one. Default: all */
                readonly response?: "replied" | "opted_out";
                /** @description Columns of the recipients' source to include: names separated by commas, in any case, or `all`. Default: none */
                readonly columns?: string;
                /** @description IANA name of the timezone of all times, e.g. Europe/Lisbon; or `recipient`: that of each recipient where it is known, else UTC. Default: UTC, written with `Z` */
                readonly timezone?: "recipient" | string;
                /** @description Only the recipient with this phone number or chat id. Default: all */
                readonly to?: string;
                /** @description Country of phone numbers without + or 00. Default: they are read as international numbers */
                readonly defaultCountry?: string;
                /** @description The `cursor` of the previous page. Default: the first page */
                readonly cursor?: string;
                /** @description The most recipients in a page, 1 to 1,000. Default: 100 */
                readonly limit?: number;
            };
            readonly header?: never;
            readonly path: {
                /** @description Id of the campaign, or its beginning: at least 4 characters that begin no other */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description One page, by line. `cursor` continues after it */
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
                /** @description Character between the columns of a CSV file. Default: the one that the header uses */
                readonly delimiter?: "," | ";" | "tab" | "|";
                /** @description Encoding of a text file, e.g. windows-1252. Default: detected */
                readonly encoding?: string;
                /** @description Name of the sheet of a workbook. Default: the first visible one */
                readonly sheet?: string;
                /** @description Name of the column with the number. Default: recognised by its name, else by its values */
                readonly phoneColumn?: string;
                /** @description Names of columns by the variables that they become, as a JSON object: {"name":"First Name"} */
                readonly map?: string;
                /** @description Country of numbers without a country code. Default: the campaign's */
                readonly defaultCountry?: string;
                /** @description True adds the source to the imported audience. Default: it replaces the audience */
                readonly add?: "true";
            };
            readonly header?: never;
            readonly path: {
                /** @description Id of the campaign */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "text/csv": string;
                readonly "application/x-ndjson": string;
                readonly "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
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
    readonly checkRecipients: {
        readonly parameters: {
            readonly query?: {
                /** @description Character between the columns of a CSV file. Default: the one that the header uses */
                readonly delimiter?: "," | ";" | "tab" | "|";
                /** @description Encoding of a text file, e.g. windows-1252. Default: detected */
                readonly encoding?: string;
                /** @description Name of the sheet of a workbook. Default: the first visible one */
                readonly sheet?: string;
                /** @description Name of the column with the number. Default: recognised by its name, else by its values */
                readonly phoneColumn?: string;
                /** @description Names of columns by the variables that they become, as a JSON object: {"name":"First Name"} */
                readonly map?: string;
                /** @description Country of numbers without a country code. Default: the campaign's */
                readonly defaultCountry?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description Id of the campaign */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "text/csv": string;
                readonly "application/x-ndjson": string;
                readonly "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
            };
        };
        readonly responses: {
            /** @description What an import of the file would do */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["CheckedRecipients"];
                };
            };
        };
    };
    readonly getRejectedRecipients: {
        readonly parameters: {
            readonly query?: {
                /** @description Character between the columns, or `tab`. Default: comma */
                readonly delimiter?: "," | ";" | "tab" | "|";
            };
            readonly header?: never;
            readonly path: {
                /** @description Id of the campaign, or its beginning: at least 4 characters that begin no other */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description A header, then every line that was not accepted */
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
                /** @description Only recipients in one of these states, separated by commas. Default: all */
                readonly state?: string;
                /** @description Only recipients with this reason. Default: all */
                readonly reason?: string;
                /** @description Only recipients who replied, or who wrote a STOP or what may be one. Default: all */
                readonly response?: "replied" | "opted_out";
                /** @description Columns of the recipients' source to include: names separated by commas, in any case, or `all`. Default: none */
                readonly columns?: string;
                /** @description IANA name of the timezone of all times, e.g. Europe/Lisbon; or `recipient`: that of each recipient where it is known, else UTC. Default: UTC, written with `Z` */
                readonly timezone?: "recipient" | string;
            };
            readonly header?: never;
            readonly path: {
                /** @description Id of the campaign, or its beginning: at least 4 characters that begin no other */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description A header, then a line for each recipient */
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
                /** @description Only recipients in one of these states, separated by commas. Default: all */
                readonly state?: string;
                /** @description Only recipients with this reason. Default: all */
                readonly reason?: string;
                /** @description Only recipients who replied, or who wrote a STOP or what may be one. Default: all */
                readonly response?: "replied" | "opted_out";
                /** @description Columns of the recipients' source to include: names separated by commas, in any case, or `all`. Default: none */
                readonly columns?: string;
                /** @description IANA name of the timezone of all times, e.g. Europe/Lisbon; or `recipient`: that of each recipient where it is known, else UTC. Default: UTC, written with `Z` */
                readonly timezone?: "recipient" | string;
            };
            readonly header?: never;
            readonly path: {
                /** @description Id of the campaign, or its beginning: at least 4 characters that begin no other */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description A JSON object for each recipient, one per line */
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
                /** @description Only recipients in one of these states, separated by commas. Default: all */
                readonly state?: string;
                /** @description Only recipients with this reason. Default: all */
                readonly reason?: string;
                /** @description Only recipients who replied, or who wrote a STOP or what may be one. Default: all */
                readonly response?: "replied" | "opted_out";
                /** @description Columns of the recipients' source to include: names separated by commas, in any case, or `all`. Default: none */
                readonly columns?: string;
                /** @description IANA name of the timezone of all times, e.g. Europe/Lisbon; or `recipient`: that of each recipient where it is known, else UTC. Default: UTC, written with `Z` */
                readonly timezone?: "recipient" | string;
            };
            readonly header?: never;
            readonly path: {
                /** @description Id of the campaign, or its beginning: at least 4 characters that begin no other */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The campaign, and every recipient in `items` */
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
    readonly getCampaignSummary: {
        readonly parameters: {
            readonly query?: {
                /** @description IANA name of the timezone of the periods, e.g. Europe/Lisbon. Default: UTC */
                readonly timezone?: string;
                /** @description How long the request waits, in milliseconds, at most 60000. Default: 25000 */
                readonly timeoutMs?: number;
            };
            readonly header?: never;
            readonly path: {
                /** @description Id of the campaign, or its beginning: at least 4 characters that begin no other */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The counts */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["CampaignSummary"];
                };
            };
        };
    };
    readonly getReportHtml: {
        readonly parameters: {
            readonly query?: {
                /** @description IANA name of the timezone of the page, e.g. Europe/Lisbon. Default: UTC */
                readonly timezone?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description Id of the campaign, or its beginning: at least 4 characters that begin no other */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The page */
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
            /** @description The erasure had begun before, and is pending */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Erasure"];
                };
            };
            /** @description The erasure is recorded. A worker runs it */
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
                /** @description How long the request waits, in milliseconds, at most 60000. Default: 0 */
                readonly timeoutMs?: number;
            };
            readonly header?: never;
            readonly path: {
                /** @description Id of the erasure */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The erasure and what it erased so far */
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
            /** @description All errors and warnings */
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
                /** @description Only objects of this instance. Default: all */
                readonly instance?: string;
                /** @description The `cursor` of the previous page. Default: the first page */
                readonly cursor?: string;
                /** @description The most items in a page, 1 to 500. Default: 50 */
                readonly limit?: number;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description One page, without the changes of each template. `cursor` continues after it */
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
            /** @description The template was submitted before */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Template"];
                };
            };
            /** @description The submission has begun */
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
                /** @description Wait until the gateway has the template, or its review has ended. After `timeoutMs` the response shows its current state */
                readonly wait?: "submitted" | "decided";
                /** @description How long the request waits, in milliseconds, at most 60000. Default: 25000 */
                readonly timeoutMs?: number;
            };
            readonly header?: never;
            readonly path: {
                /** @description Name of the configured instance */
                readonly instance: string;
                /** @description Name of the template, or its beginning: at least 4 characters that begin no other */
                readonly elementName: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The template */
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
                /** @description Name of the configured instance */
                readonly instance: string;
                /** @description Name of the template */
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
            /** @description The template's state after the decision */
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
                /** @description Only entries of this phone number or chat id. Default: all */
                readonly to?: string;
                /** @description Country of phone numbers without + or 00. Default: they are read as international numbers */
                readonly defaultCountry?: string;
                /** @description Only entries that apply to this instance: its own, and those for all. Default: every entry */
                readonly instance?: string;
                /** @description Only entries from this source. Default: all */
                readonly source?: "stop_word" | "operator" | "import";
                /** @description Only entries with this scope. Default: all */
                readonly scope?: "marketing" | "all";
                /** @description True includes removed entries. Default: false */
                readonly removed?: "true" | "";
                /** @description The `cursor` of the previous page. Default: the first page */
                readonly cursor?: string;
                /** @description The most items in a page, 1 to 500. Default: 50 */
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
            /** @description The entry existed */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["AddedSuppression"];
                };
            };
            /** @description The new entry */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["AddedSuppression"];
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
            /** @description The removed entries. Empty if there were none */
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
                /** @description The instance that the entries are for. Default: all */
                readonly instance?: string;
                /** @description Scope of the entries. Default: marketing */
                readonly scope?: "marketing" | "all";
                /** @description Country of phone numbers without + or 00. Default: they are read as international numbers */
                readonly defaultCountry?: string;
                /** @description Character between the columns of a CSV file. Default: the one that the header uses */
                readonly delimiter?: "," | ";" | "tab" | "|";
                /** @description Encoding of a text file, e.g. windows-1252. Default: detected */
                readonly encoding?: string;
                /** @description Name of the sheet of a workbook. Default: the first visible one */
                readonly sheet?: string;
                /** @description Name of the column with the number. Default: recognised by its name, else by its values */
                readonly phoneColumn?: string;
                /** @description Names of columns by the variables that they become, as a JSON object: {"name":"First Name"} */
                readonly map?: string;
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
                readonly "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
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
    readonly listPossibleOptOuts: {
        readonly parameters: {
            readonly query?: {
                /** @description Only messages to this instance. Default: all */
                readonly instance?: string;
                /** @description True includes decided ones. Default: false */
                readonly all?: "true" | "";
                /** @description The `cursor` of the previous page. Default: the first page */
                readonly cursor?: string;
                /** @description The most items in a page, 1 to 500. Default: 50 */
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
                    readonly "application/json": components["schemas"]["PossibleOptOutList"];
                };
            };
        };
    };
    readonly acceptPossibleOptOut: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Id of the possible */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The accepted one and its entry */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["AcceptedOptOut"];
                };
            };
        };
    };
    readonly dismissPossibleOptOut: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Id of the possible */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The dismissed one */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["PossibleOptOut"];
                };
            };
        };
    };
    readonly listChats: {
        readonly parameters: {
            readonly query?: {
                /** @description Only objects of this instance. Default: all */
                readonly instance?: string;
                /** @description Only chats with this phone number or chat id, in any of its spellings. Default: all */
                readonly to?: string;
                /** @description Country of phone numbers without + or 00. Default: they are read as international numbers */
                readonly defaultCountry?: string;
                /** @description True shows only unread chats. Default: all */
                readonly unread?: "true" | "";
                /** @description The `cursor` of the previous page. Default: the first page */
                readonly cursor?: string;
                /** @description The most items in a page, 1 to 500. Default: 50 */
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
                    readonly "application/json": components["schemas"]["ChatList"];
                };
            };
        };
    };
    readonly markChatRead: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["ReadChat"];
            };
        };
        readonly responses: {
            /** @description Whether the chat is unread now */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ChatMark"];
                };
            };
        };
    };
    readonly listTimeline: {
        readonly parameters: {
            readonly query?: {
                /** @description Only objects of this instance. Default: all */
                readonly instance?: string;
                /** @description Country of phone numbers without + or 00. Default: they are read as international numbers */
                readonly defaultCountry?: string;
                /** @description The `cursor` of the previous page. Default: the first page */
                readonly cursor?: string;
                /** @description The most items in a page, 1 to 500. Default: 50 */
                readonly limit?: number;
            };
            readonly header?: never;
            readonly path: {
                /** @description Name of the contact */
                readonly to: string;
            };
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
                    readonly "application/json": components["schemas"]["Timeline"];
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
            /** @description The summaries */
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
                /** @description A request with the same key and body gets the same response. The same key with another body is rejected with 422. Default: a new key */
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
            /** @description The replay has begun, or had begun before with the same key */
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
                /** @description Wait until the replay has ended. After `timeoutMs` the response shows its current state */
                readonly wait?: "end";
                /** @description How long the request waits, in milliseconds, at most 60000. Default: 25000 */
                readonly timeoutMs?: number;
            };
            readonly header?: never;
            readonly path: {
                /** @description Id of the replay */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The replay and its progress */
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
                /** @description Name of the configured instance */
                readonly instance: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The notification is stored */
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
                /** @description Only objects of this instance. Default: all */
                readonly instance?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description All endpoints, with their waiting deliveries */
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
                /** @description A request with the same key and body gets the same response. The same key with another body is rejected with 422. Default: a new key */
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
            /** @description The same request had created the endpoint */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["EventEndpointWithSecret"];
                };
            };
            /** @description The endpoint, with its secret */
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
                /** @description Id of the event endpoint */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The endpoint, with its waiting deliveries */
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
                /** @description Id of the event endpoint */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The endpoint is deleted */
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
                /** @description Id of the event endpoint */
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
            /** @description The endpoint after the change */
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
    readonly listEndpointDeliveries: {
        readonly parameters: {
            readonly query?: {
                /** @description `waiting`: not delivered yet, oldest first. `failed`: set aside after three days, newest first. Default: waiting */
                readonly state?: "waiting" | "failed";
                /** @description The `cursor` of the previous page. Default: the first page */
                readonly cursor?: string;
                /** @description The most items in a page, 1 to 500. Default: 50 */
                readonly limit?: number;
            };
            readonly header?: never;
            readonly path: {
                /** @description Id of the event endpoint */
                readonly id: string;
            };
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
                    readonly "application/json": components["schemas"]["EndpointDeliveryList"];
                };
            };
        };
    };
    readonly rotateEventSecret: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Id of the event endpoint */
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
            /** @description The endpoint, with the new secret */
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
                /** @description Id of the event endpoint */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The event is recorded */
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
                /** @description A request with the same key and body gets the same response. The same key with another body is rejected with 422. Default: a new key */
                readonly "Idempotency-Key"?: string;
            };
            readonly path: {
                /** @description Id of the event endpoint */
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
            /** @description The events are due */
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
                /** @description Only objects of this instance. Default: all */
                readonly instance?: string;
                /** @description Only events of this type. Default: all */
                readonly type?: "message.received" | "reaction.received" | "call.received" | "notification.received" | "message.state_changed" | "message.unresolved" | "edit.ended" | "campaign.state_changed" | "campaign.replied" | "schedule.failed" | "template.reviewed" | "instance.state_changed" | "instance.queue_standstill" | "ledger.went_back" | "suppression.possible" | "endpoint.test";
                /** @description Only events from this time on. Default: all */
                readonly since?: string;
                /** @description `end` without a cursor returns no events, only the cursor for later ones. Default: from the oldest event */
                readonly from?: "end";
                /** @description `newest` begins with the newest event, and its cursor continues with older ones. Default: oldest */
                readonly order?: "oldest" | "newest";
                /** @description The `cursor` of the previous page. Default: the first page */
                readonly cursor?: string;
                /** @description The most items in a page, 1 to 500. Default: 50 */
                readonly limit?: number;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description One page. `cursor` continues after it, also if no more events exist yet */
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
                /** @description Id of the event */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The event and its deliveries */
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
                /** @description Wait until the operation has ended. After `timeoutMs` the response shows its current state */
                readonly wait?: "" | "true" | "end";
                /** @description How long the request waits, in milliseconds, at most 60000. Default: 25000 */
                readonly timeoutMs?: number;
            };
            readonly header?: {
                /** @description A request with the same key and body gets the same response. The same key with another body is rejected with 422. Default: a new key */
                readonly "Idempotency-Key"?: string;
            };
            readonly path: {
                /** @description The gateway's name of the operation, e.g. readChat */
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
            /** @description The operation has ended */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Operation"];
                };
            };
            /** @description The operation has begun */
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
                /** @description Wait until the operation has ended. After `timeoutMs` the response shows its current state */
                readonly wait?: "" | "true" | "end";
                /** @description How long the request waits, in milliseconds, at most 60000. Default: 25000 */
                readonly timeoutMs?: number;
            };
            readonly header?: never;
            readonly path: {
                /** @description The gateway's name of the operation, e.g. readChat */
                readonly method: string;
                /** @description Id of the operation, or its beginning: at least 4 characters that begin no other */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The operation */
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
                /** @description Only schedules in this state. Default: all */
                readonly state?: "active" | "paused" | "ended";
                /** @description True lists only schedules that need an operator: with a `problem` or a `failure`. Default: all schedules */
                readonly failing?: "true";
                /** @description The `cursor` of the previous page. Default: the first page */
                readonly cursor?: string;
                /** @description The most items in a page, 1 to 500. Default: 50 */
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
                /** @description A request with the same key and body gets the same response. The same key with another body is rejected with 422. Default: a new key */
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
            /** @description The same request had created the schedule */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Schedule"];
                };
            };
            /** @description The new schedule */
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
                /** @description Id of the schedule */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The schedule */
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
                /** @description Id of the schedule */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The schedule is deleted */
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
    readonly updateSchedule: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Id of the schedule */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["UpdateSchedule"];
            };
        };
        readonly responses: {
            /** @description The schedule is changed */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ScheduleProgress"];
                };
            };
        };
    };
    readonly pauseSchedule: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description A request with the same key and body gets the same response. The same key with another body is rejected with 422. Default: a new key */
                readonly "Idempotency-Key"?: string;
            };
            readonly path: {
                /** @description Id of the schedule */
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
            /** @description The schedule is paused */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ScheduleProgress"];
                };
            };
        };
    };
    readonly resumeSchedule: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description A request with the same key and body gets the same response. The same key with another body is rejected with 422. Default: a new key */
                readonly "Idempotency-Key"?: string;
            };
            readonly path: {
                /** @description Id of the schedule */
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
            /** @description The schedule runs */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ScheduleProgress"];
                };
            };
        };
    };
    readonly triggerSchedule: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description A request with the same key and body gets the same response. The same key with another body is rejected with 422. Default: a new key */
                readonly "Idempotency-Key"?: string;
            };
            readonly path: {
                /** @description Id of the schedule */
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
                /** @description A request with the same key and body gets the same response. The same key with another body is rejected with 422. Default: a new key */
                readonly "Idempotency-Key"?: string;
            };
            readonly path: {
                /** @description Id of the schedule */
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
            /** @description The added runs */
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
            readonly query?: {
                /** @description True lists only instances that an operator has to look at: paused, standing still, offline, not authorized, or with messages that may have been sent while the ledger was older. Default: all */
                readonly unwell?: "true";
                /** @description The `cursor` of the previous page. Default: the first page */
                readonly cursor?: string;
                /** @description The most items in a page, 1 to 500. Default: all */
                readonly limit?: number;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The configured instances, without their tokens; `cursor` leads to the next page */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly items: readonly components["schemas"]["Instance"][];
                        /** @description The names of all instances that the key may use */
                        readonly names: readonly string[];
                        readonly cursor?: string;
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
                /** @description Name of the instance */
                readonly name: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Configuration without tokens, state, pauses, and what waits */
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
                /** @description How long the request waits, in milliseconds, at most 60000. Default: 25000 */
                readonly timeoutMs?: number;
            };
            readonly header?: {
                /** @description A request with the same key and body gets the same response. The same key with another body is rejected with 422. Default: a new key */
                readonly "Idempotency-Key"?: string;
            };
            readonly path: {
                /** @description Name of the instance */
                readonly name: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The operator's pause, and the instance's state */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["PausedInstance"];
                };
            };
            /** @description The instance is paused, and a POST that began before is under way */
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
                /** @description A request with the same key and body gets the same response. The same key with another body is rejected with 422. Default: a new key */
                readonly "Idempotency-Key"?: string;
            };
            readonly path: {
                /** @description Name of the instance */
                readonly name: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The pauses that ended, and the instance's state */
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
            /** @description All recurring jobs */
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
            /** @description The job existed, and now has this interval */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["RecurringJob"];
                };
            };
            /** @description The new job */
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
                /** @description Id of the job */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The job is stopped. Its stored data stays */
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
                /** @description Only objects of this instance. Default: all */
                readonly instance?: string;
                /** @description The `cursor` of the previous page. Default: the first page */
                readonly cursor?: string;
                /** @description The most items in a page, 1 to 500. Default: 50 */
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
                /** @description Name of the configured instance */
                readonly instance: string;
                /** @description The group's chat id, which ends in @g.us */
                readonly groupId: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The newest snapshots, at most 100 */
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
                /** @description Name of the configured instance */
                readonly instance: string;
                /** @description The group's chat id, which ends in @g.us */
                readonly groupId: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The snapshot, with the changes since the previous one */
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
    readonly listFindings: {
        readonly parameters: {
            readonly query?: {
                /** @description Only objects of this instance. Default: all */
                readonly instance?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The findings, also those that are ok */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly items: readonly components["schemas"]["Finding"][];
                    };
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
            /** @description The same number of payloads, in the same order */
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
            /** @description The same number of payloads, in the same order */
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
    readonly getCaller: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The caller */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Caller"];
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
            /** @description All keys */
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
            /** @description The new key */
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
                /** @description Name of the key */
                readonly name: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The key's data, without the key itself */
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
                /** @description Name of the key */
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
            /** @description The key's data, with the new key */
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
                /** @description Name of the key */
                readonly name: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The key is revoked */
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
                /** @description Only requests with the key of this name. Default: all */
                readonly key?: string;
                /** @description Only objects of this instance. Default: all */
                readonly instance?: string;
                /** @description Only requests from this time on. Default: all */
                readonly since?: string;
                /** @description The `cursor` of the previous page. Default: the first page */
                readonly cursor?: string;
                /** @description The most items in a page, 1 to 500. Default: 50 */
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
            /** @description The process runs */
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
            /** @description The ledger is reachable */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Readiness"];
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
}
