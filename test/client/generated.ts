// @ts-nocheck
import * as Oazapfts from "@oazapfts/runtime";
import * as QS from "@oazapfts/runtime/query";
export const defaults: Oazapfts.Defaults<Oazapfts.CustomHeaders> = {
    headers: {},
    baseUrl: "/"
};
const oazapfts = Oazapfts.runtime(defaults);
export const servers = {};
export type TextContent = {
    kind: "text";
    /** At most 20,000 characters, no byte order mark */
    text: string;
    quotedMessageId?: string;
    linkPreview?: boolean;
    /** Milliseconds, 1,000 to 20,000 */
    typingTime?: number;
};
export type FileContent = {
    kind: "file";
    /** http or https; given to the gateway as it is, unencoded */
    url: string;
    /** With its extension, which decides how it is shown */
    fileName: string;
    /** At most 20,000 characters */
    caption?: string;
    quotedMessageId?: string;
    /** Seconds, 1 to 20 */
    typingTime?: number;
    typingType?: "recording";
};
export type StatusContent = {
    kind: "status";
    /** At most 500 characters */
    text: string;
    /** Hex colour, not white */
    backgroundColor?: string;
    font?: "SERIF" | "SANS_SERIF" | "NORICAN_REGULAR" | "BRYNDAN_WRITE" | "OSWALD_HEAVY";
    /** Contacts who may see it; empty: all */
    participants?: string[];
};
export type PollContent = {
    kind: "poll";
    /** The question, at most 255 characters */
    message: string;
    /** 2 to 12, no two alike */
    options: {
        optionName: string;
    }[];
    /** Whether more than one may be chosen. Default: false */
    multipleAnswers?: boolean;
    quotedMessageId?: string;
    /** Milliseconds, 1,000 to 20,000 */
    typingTime?: number;
};
export type LocationContent = {
    kind: "location";
    /** Degrees, -90 to 90 */
    latitude: number;
    /** Degrees, -180 to 180 */
    longitude: number;
    nameLocation?: string;
    address?: string;
    quotedMessageId?: string;
};
export type ContactContent = {
    kind: "contact";
    contact: {
        /** The digits of an international number, as a number: 15551234567 */
        phoneContact: number;
        firstName?: string;
        middleName?: string;
        lastName?: string;
        company?: string;
    };
    quotedMessageId?: string;
};
export type ForwardContent = {
    kind: "forward";
    /** The chat in which the message to forward is */
    chatIdFrom: string;
    /** The gateway's id of the message to forward: exactly one */
    messages: string[];
    /** Milliseconds, 1,000 to 20,000 */
    typingTime?: number;
};
export type TemplateContent = {
    kind: "template";
    /** Name of a template that was submitted through everpost */
    elementName?: string;
    /** The gateway's id, also of a template made elsewhere */
    templateId?: string;
    /** Values for the variables of its body, in their order */
    params?: string[];
};
export type SendRequest = {
    /** Name of the configured instance */
    instance: string;
    /** Phone number in international form, or a chat id ending in @c.us, @g.us or @lid */
    to?: string;
    content: TextContent | FileContent | StatusContent | PollContent | LocationContent | ContactContent | ForwardContent | TemplateContent;
    /** Not posted before this. Default: at once */
    sendAt?: string;
    /** Never posted after this. Default: 24 hours after the request, or after sendAt */
    expiresAt?: string;
    /** Default: normal */
    priority?: "urgent" | "high" | "normal" | "low";
    /** Default: transactional */
    category?: "transactional" | "marketing";
    /** What to do when it is unknown whether the gateway took it. Default: manual */
    onUnknown?: "manual" | "auto";
    /** Your own words for it, shown back */
    reference?: string;
    /** Told of every change of state */
    statusCallback?: string;
};
export type BegunMessage = {
    id: string;
    state: "pending" | "sending" | "unknown" | "unresolved" | "accepted" | "sent" | "delivered" | "read" | "rejected" | "failed" | "no_account" | "expired" | "cancelled" | "suppressed";
    instance: string;
    kind: string;
    /** What the gateway advises against but takes */
    warnings?: string[];
};
export type Problem = {
    "type": string;
    title: string;
    status: number;
    /** Stable; docs/errors.md describes each one */
    code: string;
    /** What failed, why, and what to do */
    detail: string;
    errors?: {
        path: string;
        message: string;
    }[];
    /** Of ID_AMBIGUOUS: ids that begin with the given one, at most 5 */
    candidates?: string[];
    retryAfterMs?: number;
};
export type MessageListItem = {
    id: string;
    instance: string;
    chatId?: string;
    content: TextContent | FileContent | StatusContent | PollContent | LocationContent | ContactContent | ForwardContent | TemplateContent;
    state: "pending" | "sending" | "unknown" | "unresolved" | "accepted" | "sent" | "delivered" | "read" | "rejected" | "failed" | "no_account" | "expired" | "cancelled" | "suppressed";
    version: number;
    priority: string;
    category: string;
    onUnknown: string;
    reference?: string;
    statusCallback?: string;
    /** The gateway's id */
    idMessage?: string;
    /** Stable word for why it ended as it did */
    reason?: string;
    /** The gateway's own words */
    reasonText?: string;
    createdAt: string;
    /** Not posted before this, where the request said so */
    sendAt?: string;
    expiresAt: string;
    /** By our own clock, as are the next three; they never run backwards */
    acceptedAt?: string;
    /** When the first receipt that implies it came */
    sentAt?: string;
    deliveredAt?: string;
    readAt?: string;
    /** What the gateway says, by its own clock, in whole seconds */
    gatewaySentAt?: string;
    gatewayDeliveredAt?: string;
    gatewayReadAt?: string;
    endedAt?: string;
    editableUntil?: string;
    /** The workflow that sends it, unless that is `message:<id>` */
    workflowId?: string;
    /** While accepted and not heard of: until when the gateway may still send it */
    mayLeaveUntil?: string;
    /** The campaign that it belongs to */
    campaignId?: string;
    /** The recipient's line in the campaign's file */
    line?: number;
};
export type MessageList = {
    items: MessageListItem[];
    cursor?: string;
};
export type Attempt = {
    token: string;
    claimedAt: string;
    /** Its request never leaves after this */
    postingDeadlineAt: string;
    outcome?: "accepted" | "rejected" | "not_accepted" | "unknown";
    outcomeAt?: string;
    /** The gateway's id */
    idMessage?: string;
    /** Of its failure; see docs/errors.md */
    code?: string;
    /** The gateway's own words */
    text?: string;
    httpStatus?: number;
    /** Where it was surely not accepted: when the next attempt is due */
    retryAt?: string;
};
export type MessageEdit = {
    id: string;
    state: "pending" | "sending" | "posted" | "edited" | "too_late" | "refused" | "unconfirmed" | "superseded" | "not_possible";
    via?: "before_send" | "gateway";
    text?: string;
    requestedAt?: string;
    postedAt?: string;
    endedAt?: string;
    idMessageGiven?: string;
    idMessageReturned?: string;
    reason?: string;
};
export type Message = {
    id: string;
    instance: string;
    chatId?: string;
    content: TextContent | FileContent | StatusContent | PollContent | LocationContent | ContactContent | ForwardContent | TemplateContent;
    state: "pending" | "sending" | "unknown" | "unresolved" | "accepted" | "sent" | "delivered" | "read" | "rejected" | "failed" | "no_account" | "expired" | "cancelled" | "suppressed";
    version: number;
    priority: string;
    category: string;
    onUnknown: string;
    reference?: string;
    statusCallback?: string;
    /** The gateway's id */
    idMessage?: string;
    /** Stable word for why it ended as it did */
    reason?: string;
    /** The gateway's own words */
    reasonText?: string;
    createdAt: string;
    /** Not posted before this, where the request said so */
    sendAt?: string;
    expiresAt: string;
    /** By our own clock, as are the next three; they never run backwards */
    acceptedAt?: string;
    /** When the first receipt that implies it came */
    sentAt?: string;
    deliveredAt?: string;
    readAt?: string;
    /** What the gateway says, by its own clock, in whole seconds */
    gatewaySentAt?: string;
    gatewayDeliveredAt?: string;
    gatewayReadAt?: string;
    endedAt?: string;
    editableUntil?: string;
    /** The workflow that sends it, unless that is `message:<id>` */
    workflowId?: string;
    /** While accepted and not heard of: until when the gateway may still send it */
    mayLeaveUntil?: string;
    /** The campaign that it belongs to */
    campaignId?: string;
    /** The recipient's line in the campaign's file */
    line?: number;
    /** What a pending message waits for */
    waiting?: {
        /** What stood in the way of its last attempt; docs/errors.md says what to do about it */
        code: string;
        /** The gateway's own words */
        text?: string;
        /** Since when nothing else has stood in the way */
        since: string;
        nextTryAt?: string;
        /** The equal message to the same chat whose outcome is not known yet */
        identical?: string;
    };
    /** While its state is `unknown`: how long it is tried to find out, and what follows */
    "unknown"?: {
        /** When the request began to leave */
        since: string;
        /** Until when the gateway's queue, journal and notifications are watched */
        witnessesUntil: string;
        /** Until when at the latest, where one of them cannot be asked */
        atLatest: string;
        /** `unresolved`: an operator resolves it. `presume_or_unresolved`: sent again once it is presumed never to have been accepted, else unresolved */
        then: "unresolved" | "presume_or_unresolved";
    };
    evidence: {
        at: string;
        witness: string;
        what: string;
        detail?: {
            [key: string]: any;
        };
    }[];
    attempts: Attempt[];
    edits: MessageEdit[];
    /** What its statusCallback is told, in order */
    callbacks?: {
        state: "pending" | "sending" | "unknown" | "unresolved" | "accepted" | "sent" | "delivered" | "read" | "rejected" | "failed" | "no_account" | "expired" | "cancelled" | "suppressed";
        /** When the state was reached */
        at: string;
        tries: number;
        deliveredAt?: string;
        givenUpAt?: string;
        /** What the last try failed of */
        problem?: string;
        nextTryAt?: string;
    }[];
};
export type StartedMessage = {
    id: string;
    state: "pending" | "sending" | "unknown" | "unresolved" | "accepted" | "sent" | "delivered" | "read" | "rejected" | "failed" | "no_account" | "expired" | "cancelled" | "suppressed";
    instance?: string;
    kind?: string;
    reason?: string;
    createdAt: string;
    evidence: any[];
    attempts: any[];
    edits: any[];
};
export type Cancellation = {
    id: string;
    /** True when it will surely never be posted */
    cancelled: boolean;
    state: "pending" | "sending" | "unknown" | "unresolved" | "accepted" | "sent" | "delivered" | "read" | "rejected" | "failed" | "no_account" | "expired" | "cancelled" | "suppressed";
};
export type ResolveRequest = {
    /** not_accepted makes it pending again: look at the phone first */
    outcome: "accepted" | "not_accepted";
};
export type Resolved = {
    id: string;
    state: "pending" | "sending" | "unknown" | "unresolved" | "accepted" | "sent" | "delivered" | "read" | "rejected" | "failed" | "no_account" | "expired" | "cancelled" | "suppressed";
};
export type EditRequest = {
    /** The whole new text, at most 20,000 characters */
    text: string;
};
export type Edit = {
    id: string;
    state: "pending" | "sending" | "posted" | "edited" | "too_late" | "refused" | "unconfirmed" | "superseded" | "not_possible";
    via?: "before_send" | "gateway";
    text?: string;
    requestedAt?: string;
    postedAt?: string;
    endedAt?: string;
    idMessageGiven?: string;
    idMessageReturned?: string;
    reason?: string;
    messageId: string;
    /** Its state, once it has ended */
    outcome?: "pending" | "sending" | "posted" | "edited" | "too_late" | "refused" | "unconfirmed" | "superseded" | "not_possible";
};
export type ContentTemplate = {
    kind: "text" | "file" | "poll" | "location" | "contact" | "forward" | "template";
    [key: string]: any;
};
export type AutoPause = "off" | {
    /** Paused when more than this share of the newest outcomes did not arrive. Default: 0.3 */
    failureRate?: number;
    /** How many of the newest are looked at. Default: 50 */
    sampleSize?: number;
    /** With fewer nothing is evaluated. Default: 20 */
    minSamples?: number;
};
export type DailyWindow = {
    /** On which days it begins. Default: every day */
    days?: ("mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun")[];
    "from": string;
    /** Just before it. At or before `from`: on the next day */
    until: string;
};
export type SendingWindows = {
    /** IANA name, e.g. Europe/Lisbon; or `recipient`: the clock of each recipient */
    timezone: "recipient" | string;
    windows: DailyWindow[];
    /** Whole dates on which nothing is open */
    holidays?: string[];
};
export type CampaignLimits = {
    perDay?: number;
    /** A pause after each message, at random between both limits */
    jitter?: {
        minMs: number;
        maxMs: number;
        /** Default: the campaign's id */
        seed?: string;
    };
};
export type NewCampaign = {
    /** Your own name for it. Default: made from the Idempotency-Key */
    id?: string;
    /** Shown in lists, reports and the Web UI of Temporal; at most 200 characters on one line */
    name?: string;
    /** Name of the configured instance */
    instance: string;
    content: ContentTemplate;
    /** Default: normal */
    priority?: "urgent" | "high" | "normal" | "low";
    /** Default: marketing */
    category?: "transactional" | "marketing";
    /** What to do when it is unknown whether the gateway took a message. Default: manual */
    onUnknown?: "manual" | "auto";
    /** The campaign fills the gateway's queue up to this many items, whatever their source. Default: by priority */
    highWater?: number;
    /** Once started, nothing is posted before this. Default: at once */
    startAt?: string;
    /** A start that is later than its grace time starts all the same, is skipped, or is held until an operator resumes it. Default: hold */
    missedStart?: "run" | "skip" | "hold";
    /** How late a start may be without being missed. Default: 1h */
    graceTime?: string;
    /** No recipient is posted to after this. Default: seven days after the start */
    deadline?: string;
    /** Of numbers written without + or 00. Without it they are taken as international */
    defaultCountry?: string;
    autoPause?: AutoPause;
    /** When it sends. Default: whenever its instance does */
    sendingWindows?: SendingWindows;
    limits?: CampaignLimits;
    /** Of recipients without one, where `sendingWindows` go by their clocks. Without it they are rejected */
    defaultTimezone?: string;
    /** Your own words for it, shown back */
    reference?: string;
};
export type CampaignDefinition = {
    /** Shown in lists, reports and the Web UI of Temporal; at most 200 characters on one line */
    name?: string;
    /** Name of the configured instance */
    instance: string;
    content: ContentTemplate;
    /** Default: normal */
    priority?: "urgent" | "high" | "normal" | "low";
    /** Default: marketing */
    category?: "transactional" | "marketing";
    /** What to do when it is unknown whether the gateway took a message. Default: manual */
    onUnknown?: "manual" | "auto";
    /** The campaign fills the gateway's queue up to this many items, whatever their source. Default: by priority */
    highWater?: number;
    /** Once started, nothing is posted before this. Default: at once */
    startAt?: string;
    /** A start that is later than its grace time starts all the same, is skipped, or is held until an operator resumes it. Default: hold */
    missedStart?: "run" | "skip" | "hold";
    /** How late a start may be without being missed. Default: 1h */
    graceTime?: string;
    /** No recipient is posted to after this. Default: seven days after the start */
    deadline?: string;
    /** Of numbers written without + or 00. Without it they are taken as international */
    defaultCountry?: string;
    autoPause?: AutoPause;
    /** When it sends. Default: whenever its instance does */
    sendingWindows?: SendingWindows;
    limits?: CampaignLimits;
    /** Of recipients without one, where `sendingWindows` go by their clocks. Without it they are rejected */
    defaultTimezone?: string;
    /** Your own words for it, shown back */
    reference?: string;
};
export type Audience = {
    /** Lines of the source with anything on them, its head not counted */
    lines: number;
    /** Lines by verdict; they add up to the lines */
    verdicts: {
        accepted: number;
        duplicate: number;
        bad_number: number;
        country_missing: number;
        number_missing: number;
        not_allowed: number;
        unreadable: number;
        bad_value: number;
        lid_only: number;
        own_account: number;
        timezone_unknown: number;
    };
    importedAt: string;
};
export type Campaign = {
    id: string;
    /** Of two responses the higher one is the truth */
    version: number;
    /** Of the newest command that took effect; 0 before the first */
    commandSequence: number;
    name?: string;
    instance: string;
    state: "draft" | "scheduled" | "running" | "paused" | "cancelling" | "completed" | "completed_with_failures" | "cancelled" | "expired";
    priority: string;
    audience: number;
    /** Recipients in each state; they add up to the audience */
    counts: {
        pending: number;
        sending: number;
        "unknown": number;
        unresolved: number;
        accepted: number;
        sent: number;
        delivered: number;
        read: number;
        rejected: number;
        failed: number;
        no_account: number;
        expired: number;
        cancelled: number;
        suppressed: number;
    };
    /** The campaign fills the gateway's queue up to this many items, whatever their source. Default: by priority */
    highWater: number;
    /** Items in the gateway's queue, whatever their source, as read last */
    depth?: number;
    /** When the queue was read last */
    queueReadAt?: string;
    /** Between two releases of the gateway's queue */
    releaseIntervalMs?: number;
    /** Why nothing of a running campaign is sent at the moment */
    waiting?: {
        /** What stands in the way; docs/errors.md and the guide say what to do about it */
        code: string;
        since: string;
        text?: string;
        /** When it goes on by itself, where time alone decides */
        until?: string;
    };
    /** Nothing is posted before this */
    startAt?: string;
    /** When it was found that its start was later than its grace time */
    startMissedAt?: string;
    startedAt?: string;
    endedAt?: string;
    deadlineAt?: string;
    /** Recipients posted to, or ended without */
    done: number;
    /** Of the audience, rounded down */
    donePercent: number;
    /** How many leave the gateway's queue a minute; one decimal below 10 */
    perMinute?: number;
    /** When, as things go, the last one leaves the gateway's queue; never in the past */
    etaAt?: string;
    /** When `etaAt` was computed */
    asOf?: string;
    /** Why a running or paused campaign has no `etaAt`: `PAUSED`, `RATE_UNKNOWN`, or the code of what it waits for */
    etaUnknown?: string;
    definition: CampaignDefinition;
    /** What is sent now: the definition's, unless it was changed */
    content: {
        [key: string]: any;
    };
    contentVersion: number;
    /** As they are now; absent: whenever its instance sends */
    sendingWindows?: SendingWindows;
    /** As they are now */
    limits?: CampaignLimits;
    createdAt: string;
    cancelRequestedAt?: string;
    /** Absent before the first import ended */
    imported?: Audience;
    /** An import that is under way, or was cut off */
    importing?: {
        lines: number;
        begunAt: string;
    };
};
export type CampaignList = {
    items: Campaign[];
    cursor?: string;
};
export type UpdateCampaign = {
    /** The campaign fills the gateway's queue up to this many items, whatever their source. Default: by priority */
    highWater?: number;
    /** For every recipient who was not posted to yet, but those whose own message was edited. Of the same kind */
    content?: ContentTemplate;
    /** No recipient is posted to after this */
    deadline?: string;
    /** Shown in lists, reports and the Web UI of Temporal; at most 200 characters on one line */
    name?: string;
    /** Of a campaign that has not begun: nothing is posted before this */
    startAt?: string;
    /** null: whenever its instance sends */
    sendingWindows?: SendingWindows | null;
    /** null: none */
    limits?: CampaignLimits | null;
};
export type CampaignProgress = {
    id: string;
    /** Of two responses the higher one is the truth */
    version: number;
    /** Of the newest command that took effect; 0 before the first */
    commandSequence: number;
    name?: string;
    instance: string;
    state: "draft" | "scheduled" | "running" | "paused" | "cancelling" | "completed" | "completed_with_failures" | "cancelled" | "expired";
    priority: string;
    audience: number;
    /** Recipients in each state; they add up to the audience */
    counts: {
        pending: number;
        sending: number;
        "unknown": number;
        unresolved: number;
        accepted: number;
        sent: number;
        delivered: number;
        read: number;
        rejected: number;
        failed: number;
        no_account: number;
        expired: number;
        cancelled: number;
        suppressed: number;
    };
    /** The campaign fills the gateway's queue up to this many items, whatever their source. Default: by priority */
    highWater: number;
    /** Items in the gateway's queue, whatever their source, as read last */
    depth?: number;
    /** When the queue was read last */
    queueReadAt?: string;
    /** Between two releases of the gateway's queue */
    releaseIntervalMs?: number;
    /** Why nothing of a running campaign is sent at the moment */
    waiting?: {
        /** What stands in the way; docs/errors.md and the guide say what to do about it */
        code: string;
        since: string;
        text?: string;
        /** When it goes on by itself, where time alone decides */
        until?: string;
    };
    /** Nothing is posted before this */
    startAt?: string;
    /** When it was found that its start was later than its grace time */
    startMissedAt?: string;
    startedAt?: string;
    endedAt?: string;
    deadlineAt?: string;
    /** Recipients posted to, or ended without */
    done: number;
    /** Of the audience, rounded down */
    donePercent: number;
    /** How many leave the gateway's queue a minute; one decimal below 10 */
    perMinute?: number;
    /** When, as things go, the last one leaves the gateway's queue; never in the past */
    etaAt?: string;
    /** When `etaAt` was computed */
    asOf?: string;
    /** Why a running or paused campaign has no `etaAt`: `PAUSED`, `RATE_UNKNOWN`, or the code of what it waits for */
    etaUnknown?: string;
};
export type CampaignPlan = {
    id: string;
    instance: string;
    state: "draft" | "scheduled" | "running" | "paused" | "cancelling" | "completed" | "completed_with_failures" | "cancelled" | "expired";
    audience: number;
    imported?: Audience;
    /** Variables without a fallback that a recipient has no value for: the campaign does not start */
    missing: {
        variable: string;
        recipients: number;
        firstLine: number;
    }[];
    /** Recipients whose message the gateway would refuse; they end rejected */
    refused: {
        recipients: number;
        firstLine?: number;
        problems: {
            path: string;
            message: string;
        }[];
    };
    /** Recipients on the suppression list; they end suppressed, unless they are taken off it before */
    suppressed: {
        recipients: number;
        firstLine?: number;
    };
    /** Recipients who have had as many marketing messages as the instance's frequencyCap allows; as of now */
    overFrequencyCap: {
        recipients: number;
        firstLine?: number;
    };
    samples: {
        line: number;
        chatId: string;
        content: {
            [key: string]: any;
        };
        problems: {
            path: string;
            message: string;
        }[];
    }[];
    forecast: {
        recipients: number;
        depth?: number;
        depthFrom?: "read" | "estimated";
        depthReadAt?: string;
        releaseIntervalMs: number;
        intervalFrom: "learned" | "settings" | "assumed";
        startsAt: string;
        /** When the last one leaves the gateway's queue, if nothing else is sent. Absent when none is posted */
        finishesAt?: string;
        /** From the start to that */
        durationSeconds: number;
        /** Recipients who are not posted to before the deadline; they end expired */
        notPosted: number;
        /** By whose clock the rows are */
        timezone: string;
        by: "hour" | "day";
        /** Hours or days in which something is posted or leaves */
        rows: {
            "from": string;
            until: string;
            posted: number;
            /** Released by the queue */
            left: number;
        }[];
        /** When nothing is posted, and why */
        waits: {
            "from": string;
            until: string;
            reason: "SENDING_WINDOW_CLOSED" | "QUIET_HOURS" | "DAILY_LIMIT_REACHED" | "OFFLINE";
        }[];
    };
    warnings: {
        code: string;
        text: string;
    }[];
    canStart: boolean;
};
export type TestSend = {
    /** One's own number */
    to: string;
    /** Of the recipients' file: whose message it is */
    line: number;
};
export type CampaignResponse = {
    progress: CampaignProgress;
    /** Messages that the gateway has accepted and, as far as is known, not sent: they still go out */
    inGatewayQueue: number;
};
export type RetryCampaign = {
    /** States to take up again. `unknown`: ask again what became of unknown and unresolved ones */
    scopes: ("failed" | "rejected" | "no_account" | "expired" | "cancelled" | "suppressed" | "unknown")[];
    /** Only those that ended for one of these */
    reasons?: string[];
    /** Post to unknown and unresolved ones again, though they may have the message. Default: false */
    maySendTwice?: boolean;
    /** In place of the campaign's; needed when that has passed */
    deadline?: string;
};
export type RetriedRecipients = {
    /** How many were taken up */
    recipients: number;
    progress: CampaignProgress;
};
export type AmendCampaign = {
    /** The whole new text, with {{variables}}, also for recipients who were sent an older one */
    text: string;
    /** Also cancels the recipients who were not posted to. Default: false */
    stop?: boolean;
};
export type AmendmentPlan = {
    audience: number;
    /** Sent with an older text less than 15 minutes ago */
    editable: number;
    /** Of these, as many as can be edited in time */
    reachable: number;
    /** Posted and not sent yet: edited as soon as they are sent */
    underWay: number;
    /** Sent with an older text more than 15 minutes ago */
    tooLate: number;
    /** Not posted: they get the new text, or are cancelled */
    unsent: number;
    /** They have this text already */
    newText: number;
    /** Their own message was edited by itself; it stays as it is */
    ownText: number;
    /** Ended without being sent */
    notSent: number;
    /** It could not be determined whether they were sent anything */
    unresolved: number;
    /** How long the reachable edits take */
    seconds: number;
};
export type Amendment = {
    /** Of the campaign's text: `shownVersion` of the report names it */
    contentVersion: number;
    text: string;
    textBefore: string;
    stop: boolean;
    /** replaced: a newer amendment took its place */
    state: "running" | "ended" | "replaced";
    begunAt: string;
    endedAt?: string;
    /** What it could do for each recipient when it began */
    before: AmendmentPlan;
    /** What the recipients saw; they add up to the audience */
    counts: {
        /** Saw an older text, which now shows as the new one */
        edited: number;
        /** An edit is still to be made or to be confirmed */
        pending: number;
        /** The edit was posted, and no sign of success or refusal came */
        unconfirmed: number;
        /** The gateway refused the edit */
        refused: number;
        /** The 15 minutes were over */
        tooLate: number;
        /** Accepted with an older text, and never seen sent */
        notPossible: number;
        /** A newer edit took its place */
        superseded: number;
        /** Only the new text was posted */
        newText: number;
        /** Not posted yet */
        unsent: number;
        /** Their own message was edited by itself */
        ownText: number;
        /** Ended without being sent */
        notSent: number;
        /** It could not be determined whether they were sent anything */
        unresolved: number;
    };
};
export type AmendmentList = {
    items: Amendment[];
};
export type Imported = {
    /** Lines of the source with anything on them, its head not counted */
    lines: number;
    /** Lines by verdict; they add up to the lines */
    verdicts: {
        accepted: number;
        duplicate: number;
        bad_number: number;
        country_missing: number;
        number_missing: number;
        not_allowed: number;
        unreadable: number;
        bad_value: number;
        lid_only: number;
        own_account: number;
        timezone_unknown: number;
    };
    importedAt: string;
    /** True: the campaign had this very audience already */
    unchanged: boolean;
};
export type ReportRow = {
    /** Of the source */
    line: number;
    /** A message like any other: status, edit, cancel and resolve work on it */
    messageId: string;
    chatId: string;
    state: "pending" | "sending" | "unknown" | "unresolved" | "accepted" | "sent" | "delivered" | "read" | "rejected" | "failed" | "no_account" | "expired" | "cancelled" | "suppressed";
    /** Stable word for why it ended as it did */
    reason?: string;
    /** The gateway's own words */
    reasonText?: string;
    /** The gateway's id */
    idMessage?: string;
    attempts: number;
    /** By our own clock, as are the next three; they never run backwards */
    acceptedAt?: string;
    /** When the first receipt that implies it came */
    sentAt?: string;
    deliveredAt?: string;
    readAt?: string;
    endedAt?: string;
    /** The witness of the newest evidence, and what it says */
    evidence?: string;
    /** What the gateway says, by its own clock, in whole seconds */
    gatewaySentAt?: string;
    gatewayDeliveredAt?: string;
    gatewayReadAt?: string;
    /** Version of the campaign's text that was posted; own: a text of its own */
    sentVersion?: string;
    /** Version of the text that the phone is known to show */
    shownVersion?: string;
    /** How the newest edit stands */
    editOutcome?: "pending" | "sending" | "posted" | "edited" | "too_late" | "refused" | "unconfirmed" | "superseded" | "not_possible";
    editedAt?: string;
};
export type ReportPage = {
    items: ReportRow[];
    cursor?: string;
};
export type NewErasure = {
    /** Phone number as in a file of recipients, or a chat id ending in @c.us, @g.us or @lid */
    to: string;
    /** Of numbers written without + or 00. Without it they are taken as international */
    defaultCountry?: string;
};
export type Erasure = {
    id: string;
    state: "pending" | "done";
    requestedBy: string;
    requestedAt: string;
    endedAt?: string;
    /** Keyed hashes of the chat: this ledger knows by them that it was erased. The number is not kept */
    chatHashes: string[];
    /** How many rows of each table were erased */
    rows: {
        [key: string]: number;
    };
    /** What has to end before: how many messages, edits and notifications */
    waiting: {
        [key: string]: number;
    };
};
export type TemplateDefinition = {
    [key: string]: any;
};
export type ValidateTemplate = {
    template: TemplateDefinition;
};
export type TemplateFinding = {
    /** As a reader would write it, e.g. buttons[0].text */
    path: string;
    message: string;
    /** What the rule allows */
    limit?: number | string;
    /** What the template has */
    found?: any;
};
export type TemplateValidation = {
    /** No errors; warnings do not count */
    ok: boolean;
    errors: TemplateFinding[];
    warnings: TemplateFinding[];
};
export type SubmitTemplate = {
    /** Name of the configured instance */
    instance: string;
    template: TemplateDefinition;
};
export type Template = {
    instance: string;
    elementName: string;
    /** How far the submission is; unknown: its response was lost */
    state: "pending" | "sending" | "unknown" | "submitted" | "refused";
    /** The review's word: PENDING, APPROVED, REJECTED, FAILED, PAUSED, or a newer one */
    status?: string;
    statusSince?: string;
    /** Why it was refused, rejected, or failed */
    reason?: string;
    /** The gateway's id */
    templateId?: string;
    version: number;
    definition: {
        [key: string]: any;
    };
    createdAt: string;
    submittedAt?: string;
    /** When the gateway was asked last */
    checkedAt?: string;
    nextCheckAt?: string;
    /** Why the last poll said nothing; see docs/errors.md */
    checkCode?: string;
    checkText?: string;
    /** Polling has stopped, although nothing was decided; submit it again to go on */
    unwatchedSince?: string;
    changes: {
        at: string;
        witness: string;
        what: string;
        status?: string;
        reason?: string;
        detail?: any;
    }[];
    /** Of the submission */
    warnings?: TemplateFinding[];
};
export type TemplateListItem = {
    instance: string;
    elementName: string;
    /** How far the submission is; unknown: its response was lost */
    state: "pending" | "sending" | "unknown" | "submitted" | "refused";
    /** The review's word: PENDING, APPROVED, REJECTED, FAILED, PAUSED, or a newer one */
    status?: string;
    statusSince?: string;
    /** Why it was refused, rejected, or failed */
    reason?: string;
    /** The gateway's id */
    templateId?: string;
    version: number;
    definition: {
        [key: string]: any;
    };
    createdAt: string;
    submittedAt?: string;
    /** When the gateway was asked last */
    checkedAt?: string;
    nextCheckAt?: string;
    /** Why the last poll said nothing; see docs/errors.md */
    checkCode?: string;
    checkText?: string;
    /** Polling has stopped, although nothing was decided; submit it again to go on */
    unwatchedSince?: string;
};
export type TemplateList = {
    items: TemplateListItem[];
    cursor?: string;
};
export type SetTemplateReview = {
    /** APPROVED, REJECTED, FAILED, PAUSED, PENDING, or a newer word */
    status: string;
    reason?: string;
    /** The gateway's id, where it could not be read */
    templateId?: string;
};
export type AddSuppression = {
    /** Phone number as in a file of recipients, or a chat id ending in @c.us, @g.us or @lid */
    to: string;
    /** Of numbers written without + or 00. Without it they are taken as international */
    defaultCountry?: string;
    /** For this account only. Default: for all */
    instance?: string;
    /** all: transactional messages too. Default: marketing */
    scope?: "marketing" | "all";
    /** Your own words for it, shown back */
    note?: string;
};
export type Suppression = {
    id: string;
    chatId: string;
    /** The one account that it is about; absent: every account */
    instance?: string;
    /** all: transactional messages are kept back too */
    scope: "marketing" | "all";
    source: "stop_word" | "operator" | "import";
    /** Of a word, when the gateway received it */
    since: string;
    recordedAt: string;
    /** As the addressee wrote it */
    word?: string;
    /** The gateway's id of the message with the word */
    idMessage?: string;
    note?: string;
    /** Present once it holds no longer */
    removedAt?: string;
    removedBy?: "start_word" | "operator";
    removedWord?: string;
    removedIdMessage?: string;
    /** The addressee has said START since, which does not remove what an operator or a file put there */
    startWordAt?: string;
};
export type SuppressionList = {
    items: Suppression[];
    cursor?: string;
};
export type RemoveSuppression = {
    /** Phone number as in a file of recipients, or a chat id ending in @c.us, @g.us or @lid */
    to: string;
    /** Of numbers written without + or 00. Without it they are taken as international */
    defaultCountry?: string;
    /** Only this account's own entries. Default: every entry */
    instance?: string;
};
export type RemovedSuppressions = {
    removed: Suppression[];
    /** What still holds, for other accounts or for all */
    left: Suppression[];
};
export type ImportedSuppressions = {
    /** With anything on them, a head not counted */
    lines: number;
    /** Lines by verdict; they add up to the lines */
    verdicts: {
        added: number;
        already: number;
        bad_number: number;
        country_missing: number;
        number_missing: number;
        unreadable: number;
        bad_value: number;
    };
    /** Lines that are no entry, the first ten thousand of them */
    rejects: {
        line: number;
        reason: string;
        value: string;
    }[];
};
export type NotificationSummary = {
    instance: string;
    /** When the last one came, of all that are kept */
    lastAt?: string;
    /** In the last 24 hours */
    came: number;
    /** How often one of them came again, with the same content */
    repeats: number;
    /** By typeWebhook */
    kinds: {
        [key: string]: number;
    };
    /** cut, malformed, another_instance, unknown_kind, incomplete */
    oddities: {
        [key: string]: number;
    };
    /** Stored, and not applied yet */
    waiting: number;
    /** When the oldest of those came */
    waitingSince?: string;
    /** Of all that are kept, those that could not be applied and were set aside */
    failed: number;
    /** The newest of those: when it came, and why it could not be applied */
    lastFailure?: {
        at: string;
        problem: string;
    };
    /** Messages that changed and whose workflows have not been signalled yet */
    pendingSignals: number;
    /** When the oldest of those changed */
    pendingSignalsSince?: string;
    quotaExceeded?: {
        at: string;
        quota?: any;
    };
};
export type ReplayRequest = {
    /** Those that came from then on; ISO 8601 */
    since: string;
    /** Only those of this one */
    instance?: string;
};
export type Replay = {
    id: string;
    /** Absent: all of them */
    instance?: string;
    since: string;
    /** How many notifications it applies again */
    total: number;
    done: number;
    /** What became of those that are done, this time */
    outcomes: {
        [key: string]: number;
    };
    begunAt: string;
    endedAt?: string;
};
export type OperationRequest = {
    /** Name of the configured instance */
    instance: string;
    /** The operation's own fields */
    request?: {
        [key: string]: any;
    };
};
export type Operation = {
    id: string;
    method: "createTemplate" | "deleteNotification" | "editMessage" | "forwardMessages" | "getGroupData" | "getIncomingStories" | "getMessage" | "getSettings" | "getStateInstance" | "getTemplateById" | "getTemplates" | "lastOutgoingMessages" | "readChat" | "receiveNotification" | "sendContact" | "sendFileByUrl" | "sendLocation" | "sendMessage" | "sendPoll" | "sendTemplate" | "sendTextStatus" | "sendTyping" | "setSettings" | "showMessagesQueue";
    instance?: string;
    state: "pending" | "sending" | "done" | "failed" | "may_have_happened";
    /** The gateway's response, secret fields removed */
    result?: any;
    code?: string;
    /** The gateway's own words */
    text?: string;
    createdAt?: string;
    endedAt?: string;
};
export type ScheduledCampaign = {
    /** Shown in lists, reports and the Web UI of Temporal; at most 200 characters on one line */
    name?: string;
    /** Name of the configured instance */
    instance: string;
    content: ContentTemplate;
    /** Default: normal */
    priority?: "urgent" | "high" | "normal" | "low";
    /** Default: marketing */
    category?: "transactional" | "marketing";
    /** What to do when it is unknown whether the gateway took a message. Default: manual */
    onUnknown?: "manual" | "auto";
    /** The campaign fills the gateway's queue up to this many items, whatever their source. Default: by priority */
    highWater?: number;
    /** Of numbers written without + or 00. Without it they are taken as international */
    defaultCountry?: string;
    autoPause?: AutoPause;
    /** When it sends. Default: whenever its instance does */
    sendingWindows?: SendingWindows;
    limits?: CampaignLimits;
    /** Of recipients without one, where `sendingWindows` go by their clocks. Without it they are rejected */
    defaultTimezone?: string;
    /** Your own words for it, shown back */
    reference?: string;
};
export type ScheduleRecipients = {
    /** On the worker's machine, below EVERPOST_SOURCES_DIR */
    file: string;
    /** Between the columns of a CSV file. Default: the one that its head is written with */
    delimiter?: "," | ";" | "tab" | "|";
} | {
    /** Got by the worker at each run; no redirect is followed */
    url: string;
    /** Between the columns of a CSV file. Default: the one that its head is written with */
    delimiter?: "," | ";" | "tab" | "|";
} | {
    /** Its participants at each run */
    group: string;
} | {
    /** Where the worker finds the connection string of a PostgreSQL */
    connection: {
        env: string;
    } | {
        /** On the worker's machine, below EVERPOST_SOURCES_DIR */
        file: string;
    };
    /** One query; runs read only. Columns as in a file */
    query: string;
};
export type ScheduleCalendar = {
    /** 0 to 59. Default: 0 */
    minute?: string | number;
    /** 0 to 23. Default: 0 */
    hour?: string | number;
    /** 1 to 31. Default: * */
    dayOfMonth?: string | number;
    /** 1 to 12, or JAN to DEC. Default: * */
    month?: string | number;
    /** 0 to 6, or SUN to SAT. Default: * */
    dayOfWeek?: string | number;
    /** 2000 to 2100. Default: * */
    year?: string | number;
};
export type NewSchedule = {
    /** Your own name for it. Default: made from the Idempotency-Key */
    id?: string;
    campaign: ScheduledCampaign;
    recipients: ScheduleRecipients;
    /** Five fields each: minute, hour, day of month, month, day of week; e.g. 0 9 * * MON */
    cron?: string[];
    calendars?: ScheduleCalendar[];
    /** IANA name, e.g. Europe/Lisbon. Default: UTC */
    timezone?: string;
    /** Each start is later by a part of this. Default: none */
    jitter?: string;
    /** No run before this */
    startAt?: string;
    /** No run after this */
    endAt?: string;
    /** While the campaign of an earlier run has not ended: skip the run, buffer it until then, or allow both. Default: skip */
    overlap?: "skip" | "buffer" | "allow";
    /** A start that is later than its grace time starts all the same, is skipped, or is held until an operator resumes it. Default: hold */
    missedStart?: "run" | "skip" | "hold";
    /** How late a start may be without being missed. Default: 1h */
    graceTime?: string;
    /** Created paused. Default: false */
    paused?: boolean;
    /** Why; shown until the next pause or resume */
    note?: string;
};
export type Schedule = {
    id: string;
    state: "active" | "paused";
    note?: string;
    campaign: ScheduledCampaign;
    recipients: ScheduleRecipients;
    /** Five fields each: minute, hour, day of month, month, day of week; e.g. 0 9 * * MON */
    cron?: string[];
    calendars?: ScheduleCalendar[];
    /** IANA name, e.g. Europe/Lisbon. Default: UTC */
    timezone?: string;
    /** Each start is later by a part of this. Default: none */
    jitter?: string;
    /** No run before this */
    startAt?: string;
    /** No run after this */
    endAt?: string;
    /** While the campaign of an earlier run has not ended: skip the run, buffer it until then, or allow both. Default: skip */
    overlap?: "skip" | "buffer" | "allow";
    /** A start that is later than its grace time starts all the same, is skipped, or is held until an operator resumes it. Default: hold */
    missedStart?: "run" | "skip" | "hold";
    /** How late a start may be without being missed. Default: 1h */
    graceTime?: string;
    /** By Temporal; absent while it is paused, or Temporal is away */
    nextRuns?: string[];
    /** False while Temporal is still to be told of the last change */
    isSynced: boolean;
    /** Why Temporal does not take it */
    problem?: string;
    createdAt: string;
};
export type ScheduleList = {
    items: Schedule[];
    cursor?: string;
};
export type ScheduleRun = {
    /** Which occurrence it is */
    at: string;
    kind: "schedule" | "trigger" | "backfill";
    /** pending: its recipients are being read; waiting: for the end of an earlier campaign */
    state: "pending" | "waiting" | "started" | "skipped" | "failed";
    /** Its campaign, made from schedule and time */
    campaignId: string;
    /** Absent before the campaign is written */
    campaignState?: "draft" | "scheduled" | "running" | "paused" | "cancelling" | "completed" | "completed_with_failures" | "cancelled" | "expired";
    /** When its campaign starts: the time with its jitter */
    startAt: string;
    /** When its start was found to be later than the grace time */
    startMissedAt?: string;
    /** Why it was skipped or failed, or what its last try failed of */
    reason?: string;
    text?: string;
    /** How often it failed */
    tries: number;
    createdAt: string;
    endedAt?: string;
};
export type ScheduleWithRuns = {
    id: string;
    state: "active" | "paused";
    note?: string;
    campaign: ScheduledCampaign;
    recipients: ScheduleRecipients;
    /** Five fields each: minute, hour, day of month, month, day of week; e.g. 0 9 * * MON */
    cron?: string[];
    calendars?: ScheduleCalendar[];
    /** IANA name, e.g. Europe/Lisbon. Default: UTC */
    timezone?: string;
    /** Each start is later by a part of this. Default: none */
    jitter?: string;
    /** No run before this */
    startAt?: string;
    /** No run after this */
    endAt?: string;
    /** While the campaign of an earlier run has not ended: skip the run, buffer it until then, or allow both. Default: skip */
    overlap?: "skip" | "buffer" | "allow";
    /** A start that is later than its grace time starts all the same, is skipped, or is held until an operator resumes it. Default: hold */
    missedStart?: "run" | "skip" | "hold";
    /** How late a start may be without being missed. Default: 1h */
    graceTime?: string;
    /** By Temporal; absent while it is paused, or Temporal is away */
    nextRuns?: string[];
    /** False while Temporal is still to be told of the last change */
    isSynced: boolean;
    /** Why Temporal does not take it */
    problem?: string;
    createdAt: string;
    /** The latest first, at most 20 */
    runs: ScheduleRun[];
};
export type ScheduleNote = {
    /** Why; shown until the next pause or resume */
    note?: string;
};
export type BackfillSchedule = {
    /** The first time */
    "from": string;
    /** The last time, not in the future */
    to: string;
};
export type Instance = {
    name: string;
    idInstance: string;
    baseUrl: string;
    mediaUrl?: string;
    capabilities?: string[];
    /** Only the chats listed in the configuration may be written to */
    restricted: boolean;
    /** Notifications are accepted with a token only */
    webhookAuthorization: boolean;
    /** Pushed by the gateway, or asked for */
    notifications: "push" | "poll";
    /** Whether each message by HTTP has a workflow, or only one that needs it */
    messageWorkflows: "always" | "on_demand";
    /** The gateway's word, e.g. authorized; absent until it is known */
    state?: string;
    /** Since when it is known to be in this state */
    stateSince?: string;
    /** When it was seen in it last */
    stateSeenAt?: string;
    /** Of the gateway with the network: the gateway's word, e.g. online. Pauses nothing */
    connection?: {
        status: string;
        since: string;
    };
    /** Why nothing is sent; empty when it is not paused */
    pauses: {
        reason: "yellowCard" | "blocked" | "suspended" | "operator";
        /** When the account was first seen so, or the operator paused it */
        since: string;
        /** Who said so: a notification, getStateInstance, or an operator */
        witness: string;
        /** operator: an operator resumes it. authorized: it ends once the account is authorized */
        resumedBy: "operator" | "authorized";
    }[];
    /** Empty until it was read */
    queue: {
        /** Items in the gateway's queue, whatever their source, as read last */
        depth?: number;
        readAt?: string;
        /** Between two releases */
        releaseIntervalMs?: number;
    };
    /** The worker that dispatches its messages, or did so last; empty before the first message */
    dispatcher: {
        worker?: string;
        /** Absent while no worker serves it, because nothing is due */
        servedSince?: string;
        seenAt?: string;
        /** POSTs under way */
        inFlight?: number;
        /** How many may be under way */
        window?: number;
    };
    waiting: {
        /** Single messages that have not been posted, counted up to 10,000 */
        messages: number;
        /** Campaigns that dispatch nothing at the moment, and why */
        campaigns: {
            id: string;
            state: "draft" | "scheduled" | "running" | "paused" | "cancelling" | "completed" | "completed_with_failures" | "cancelled" | "expired";
            waiting: {
                /** What stands in the way; docs/errors.md and the guide say what to do about it */
                code: string;
                since: string;
                text?: string;
                /** When it goes on by itself, where time alone decides */
                until?: string;
            };
        }[];
        /** Messages whose response was lost, counted up to 100, and whose outcome is not known yet */
        unknownOutcomes: number;
    };
    /** What its hours and limits keep back now; empty when they keep back nothing */
    closed: {
        /** all: every message that is not urgent */
        messages: "all" | "marketing";
        /** SENDING_WINDOW_CLOSED, QUIET_HOURS or DAILY_LIMIT_REACHED */
        code: string;
        text?: string;
        since?: string;
        /** Absent: no open time comes within 400 days */
        until?: string;
    }[];
    /** By the day of the instance's clock; absent without a daily cap */
    today?: {
        posted: number;
        cap: number;
        /** When the next day begins */
        until: string;
    };
    /** When its last notification came in */
    lastNotificationAt?: string;
};
export type PausedInstance = {
    pause: {
        reason: "yellowCard" | "blocked" | "suspended" | "operator";
        /** When the account was first seen so, or the operator paused it */
        since: string;
        /** Who said so: a notification, getStateInstance, or an operator */
        witness: string;
    };
    instance: Instance;
};
export type ResumedInstance = {
    resumed: {
        reason: "yellowCard" | "blocked" | "suspended" | "operator";
        /** When the account was first seen so, or the operator paused it */
        since: string;
        /** Who said so: a notification, getStateInstance, or an operator */
        witness: string;
    }[];
    instance: Instance;
};
export type NewRecurringJob = {
    instance: string;
    /** stories: stores incoming stories. group: stores the data of a group */
    kind: "stories" | "group";
    /** Of kind group */
    groupId?: string;
    /** How often it runs. Stories are shown for a day */
    everyMinutes: number;
};
export type RecurringJob = {
    id: string;
    kind: "stories" | "group";
    instance: string;
    groupId?: string;
    everyMs: number;
    createdAt: string;
    /** When it is due next */
    nextAt: string;
    /** When it last succeeded */
    lastAt?: string;
    /** Why its last run did not */
    problem?: string;
};
export type Story = {
    instance: string;
    idMessage: string;
    /** By the gateway's clock */
    at: string;
    seenAt: string;
    /** As getIncomingStories gave it */
    story: {
        [key: string]: any;
    };
};
export type StoryList = {
    items: Story[];
    cursor?: string;
};
export type GroupSnapshot = {
    instance: string;
    groupId: string;
    takenAt: string;
    /** When it was last seen like this */
    seenUntil: string;
    fields: {
        [key: string]: string | number | boolean;
    };
    participants: {
        id: string;
        isAdmin: boolean;
    }[];
    /** Since the snapshot before; absent for the first one */
    changes?: {
        joined: string[];
        left: string[];
        becameAdmin: string[];
        noLongerAdmin: string[];
        fields: {
            name: string;
            before?: any;
            after?: any;
        }[];
    };
};
export type GroupSnapshotList = {
    items: GroupSnapshot[];
};
export type GivenPayloads = {
    /** Temporal's payloads as its JSON writes them: bytes in base64 */
    payloads: {
        metadata?: {
            [key: string]: string;
        };
        data?: string;
    }[];
};
export type Payloads = {
    /** Temporal's payloads as its JSON writes them: bytes in base64 */
    payloads: {
        metadata?: {
            [key: string]: string;
        };
        data?: string;
    }[];
};
export type Health = {
    status: "ok";
};
/**
 * Send a message
 */
export function sendMessage(sendRequest: SendRequest, { idempotencyKey }: {
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 202;
        data: BegunMessage;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    } | {
        status: number;
        data: Problem;
    }>("/v1/messages", oazapfts.json({
        ...opts,
        method: "POST",
        body: sendRequest,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * List messages, newest first
 */
export function listMessages({ instance, state, to, reference, idMessage, cursor, limit }: {
    instance?: string;
    state?: "pending" | "sending" | "unknown" | "unresolved" | "accepted" | "sent" | "delivered" | "read" | "rejected" | "failed" | "no_account" | "expired" | "cancelled" | "suppressed";
    to?: string;
    reference?: string;
    idMessage?: string;
    cursor?: string;
    limit?: number;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: MessageList;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    } | {
        status: number;
        data: Problem;
    }>(`/v1/messages${QS.query(QS.explode({
        instance,
        state,
        to,
        reference,
        idMessage,
        cursor,
        limit
    }))}`, {
        ...opts
    });
}
/**
 * A message with its evidence
 */
export function getMessage(id: string, { wait, timeoutMs }: {
    wait?: "accepted" | "sent" | "delivered" | "read" | "end";
    timeoutMs?: number;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: Message | StartedMessage;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 409;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    } | {
        status: number;
        data: Problem;
    }>(`/v1/messages/${encodeURIComponent(id)}${QS.query(QS.explode({
        wait,
        timeoutMs
    }))}`, {
        ...opts
    });
}
/**
 * Cancel a message that has not left yet
 */
export function cancelMessage(id: string, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: Cancellation;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 409;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    } | {
        status: number;
        data: Problem;
    }>(`/v1/messages/${encodeURIComponent(id)}/cancel`, {
        ...opts,
        method: "POST"
    });
}
/**
 * Resolve a message that is unknown or unresolved
 */
export function resolveMessage(id: string, resolveRequest: ResolveRequest, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: Resolved;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 409;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    } | {
        status: number;
        data: Problem;
    }>(`/v1/messages/${encodeURIComponent(id)}/resolve`, oazapfts.json({
        ...opts,
        method: "POST",
        body: resolveRequest
    }));
}
/**
 * Edit the text of a message
 */
export function editMessage(id: string, editRequest: EditRequest, { idempotencyKey, timeoutMs }: {
    idempotencyKey?: string;
    timeoutMs?: number;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: Edit;
    } | {
        status: 202;
        data: Edit;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 409;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    } | {
        status: number;
        data: Problem;
    }>(`/v1/messages/${encodeURIComponent(id)}/edits${QS.query(QS.explode({
        timeoutMs
    }))}`, oazapfts.json({
        ...opts,
        method: "POST",
        body: editRequest,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * An edit as it stands
 */
export function getEdit(id: string, editId: string, { timeoutMs }: {
    timeoutMs?: number;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: Edit;
    } | {
        status: 202;
        data: Edit;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 409;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    } | {
        status: number;
        data: Problem;
    }>(`/v1/messages/${encodeURIComponent(id)}/edits/${encodeURIComponent(editId)}${QS.query(QS.explode({
        timeoutMs
    }))}`, {
        ...opts
    });
}
/**
 * Define a campaign
 */
export function beginCampaign(newCampaign: NewCampaign, { idempotencyKey }: {
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: Campaign;
    } | {
        status: 201;
        data: Campaign;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    } | {
        status: number;
        data: Problem;
    }>("/v1/campaigns", oazapfts.json({
        ...opts,
        method: "POST",
        body: newCampaign,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * List campaigns, newest first
 */
export function listCampaigns({ instance, state, cursor, limit }: {
    instance?: string;
    state?: "draft" | "scheduled" | "running" | "paused" | "cancelling" | "completed" | "completed_with_failures" | "cancelled" | "expired";
    cursor?: string;
    limit?: number;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: CampaignList;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    } | {
        status: number;
        data: Problem;
    }>(`/v1/campaigns${QS.query(QS.explode({
        instance,
        state,
        cursor,
        limit
    }))}`, {
        ...opts
    });
}
/**
 * Define a campaign, or define a draft again
 */
export function defineCampaign(id: string, newCampaign: NewCampaign, { planOnly }: {
    planOnly?: "true";
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: Campaign;
    } | {
        status: 201;
        data: Campaign;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 409;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    } | {
        status: number;
        data: Problem;
    }>(`/v1/campaigns/${encodeURIComponent(id)}${QS.query(QS.explode({
        planOnly
    }))}`, oazapfts.json({
        ...opts,
        method: "PUT",
        body: newCampaign
    }));
}
/**
 * Remove a campaign that was only made for a plan
 */
export function removePlan(id: string, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            removed: boolean;
        };
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 409;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    } | {
        status: number;
        data: Problem;
    }>(`/v1/campaigns/${encodeURIComponent(id)}`, {
        ...opts,
        method: "DELETE"
    });
}
/**
 * A campaign as it stands
 */
export function getCampaign(id: string, { wait, timeoutMs }: {
    wait?: "ended";
    timeoutMs?: number;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: Campaign;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 409;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    } | {
        status: number;
        data: Problem;
    }>(`/v1/campaigns/${encodeURIComponent(id)}${QS.query(QS.explode({
        wait,
        timeoutMs
    }))}`, {
        ...opts
    });
}
/**
 * Change the high water mark, text, deadline, name or start time
 */
export function updateCampaign(id: string, updateCampaign: UpdateCampaign, { idempotencyKey, timeoutMs }: {
    idempotencyKey?: string;
    timeoutMs?: number;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: CampaignProgress;
    } | {
        status: 202;
        data: CampaignProgress;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 409;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    } | {
        status: number;
        data: Problem;
    }>(`/v1/campaigns/${encodeURIComponent(id)}${QS.query(QS.explode({
        timeoutMs
    }))}`, oazapfts.json({
        ...opts,
        method: "PATCH",
        body: updateCampaign,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * What the campaign would do if it were started now
 */
export function planCampaign(id: string, { sampleLines, startAt, by, offline, timezone }: {
    sampleLines?: string;
    startAt?: string;
    by?: "hour" | "day";
    offline?: string;
    timezone?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: CampaignPlan;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 409;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    } | {
        status: number;
        data: Problem;
    }>(`/v1/campaigns/${encodeURIComponent(id)}/plan${QS.query(QS.explode({
        sampleLines,
        startAt,
        by,
        offline,
        timezone
    }))}`, {
        ...opts
    });
}
/**
 * Send one recipient's message to one's own number
 */
export function sendTest(id: string, testSend: TestSend, { idempotencyKey }: {
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 202;
        data: BegunMessage;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    } | {
        status: number;
        data: Problem;
    }>(`/v1/campaigns/${encodeURIComponent(id)}/test-sends`, oazapfts.json({
        ...opts,
        method: "POST",
        body: testSend,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * Start a campaign, once, ever
 */
export function startCampaign(id: string, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: Campaign;
    } | {
        status: 202;
        data: Campaign;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 409;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    } | {
        status: number;
        data: Problem;
    }>(`/v1/campaigns/${encodeURIComponent(id)}/start`, {
        ...opts,
        method: "POST"
    });
}
/**
 * Pause a campaign
 */
export function pauseCampaign(id: string, { idempotencyKey, timeoutMs }: {
    idempotencyKey?: string;
    timeoutMs?: number;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: CampaignResponse;
    } | {
        status: 202;
        data: CampaignProgress;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 409;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    } | {
        status: number;
        data: Problem;
    }>(`/v1/campaigns/${encodeURIComponent(id)}/pause${QS.query(QS.explode({
        timeoutMs
    }))}`, {
        ...opts,
        method: "POST",
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    });
}
/**
 * Let a paused campaign go on
 */
export function resumeCampaign(id: string, { idempotencyKey, timeoutMs }: {
    idempotencyKey?: string;
    timeoutMs?: number;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: CampaignResponse;
    } | {
        status: 202;
        data: CampaignProgress;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 409;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    } | {
        status: number;
        data: Problem;
    }>(`/v1/campaigns/${encodeURIComponent(id)}/resume${QS.query(QS.explode({
        timeoutMs
    }))}`, {
        ...opts,
        method: "POST",
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    });
}
/**
 * Cancel a campaign
 */
export function cancelCampaign(id: string, { idempotencyKey, timeoutMs }: {
    idempotencyKey?: string;
    timeoutMs?: number;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: CampaignResponse;
    } | {
        status: 202;
        data: CampaignProgress;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 409;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    } | {
        status: number;
        data: Problem;
    }>(`/v1/campaigns/${encodeURIComponent(id)}/cancel${QS.query(QS.explode({
        timeoutMs
    }))}`, {
        ...opts,
        method: "POST",
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    });
}
/**
 * Take recipients up again who ended without the message
 */
export function retryCampaign(id: string, retryCampaign: RetryCampaign, { idempotencyKey, timeoutMs }: {
    idempotencyKey?: string;
    timeoutMs?: number;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: RetriedRecipients;
    } | {
        status: 202;
        data: CampaignProgress;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 409;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    } | {
        status: number;
        data: Problem;
    }>(`/v1/campaigns/${encodeURIComponent(id)}/retry${QS.query(QS.explode({
        timeoutMs
    }))}`, oazapfts.json({
        ...opts,
        method: "POST",
        body: retryCampaign,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * Give the recipients a new text, also those who were sent an older one
 */
export function amendCampaign(id: string, amendCampaign: AmendCampaign, { idempotencyKey, timeoutMs }: {
    idempotencyKey?: string;
    timeoutMs?: number;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: Amendment;
    } | {
        status: 202;
        data: CampaignProgress;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 409;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    } | {
        status: number;
        data: Problem;
    }>(`/v1/campaigns/${encodeURIComponent(id)}/amend${QS.query(QS.explode({
        timeoutMs
    }))}`, oazapfts.json({
        ...opts,
        method: "POST",
        body: amendCampaign,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * What an amendment could do for each recipient now
 */
export function planAmendment(id: string, amendCampaign: AmendCampaign, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: AmendmentPlan;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 409;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    } | {
        status: number;
        data: Problem;
    }>(`/v1/campaigns/${encodeURIComponent(id)}/amendment-plan`, oazapfts.json({
        ...opts,
        method: "POST",
        body: amendCampaign
    }));
}
/**
 * The amendments of a campaign, newest first
 */
export function listAmendments(id: string, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: AmendmentList;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 409;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    } | {
        status: number;
        data: Problem;
    }>(`/v1/campaigns/${encodeURIComponent(id)}/amendments`, {
        ...opts
    });
}
/**
 * Import the recipients, in place of those before
 */
export function importRecipients(id: string, body: string, { delimiter }: {
    delimiter?: "," | ";" | "tab" | "|";
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: Imported;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 409;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    } | {
        status: number;
        data: Problem;
    }>(`/v1/campaigns/${encodeURIComponent(id)}/recipients${QS.query(QS.explode({
        delimiter
    }))}`, oazapfts.json({
        ...opts,
        method: "PUT",
        body
    }));
}
/**
 * The recipients of a campaign and what became of each
 */
export function listRecipients(id: string, { state, reason, cursor, limit }: {
    state?: string;
    reason?: string;
    cursor?: string;
    limit?: number;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: ReportPage;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 409;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    } | {
        status: number;
        data: Problem;
    }>(`/v1/campaigns/${encodeURIComponent(id)}/recipients${QS.query(QS.explode({
        state,
        reason,
        cursor,
        limit
    }))}`, {
        ...opts
    });
}
/**
 * The lines that added no recipient to the audience
 */
export function getRejectedRecipients(id: string, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: string;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 409;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    } | {
        status: number;
        data: Problem;
    }>(`/v1/campaigns/${encodeURIComponent(id)}/rejected-recipients.csv`, {
        ...opts
    });
}
/**
 * The whole report as CSV
 */
export function getReportCsv(id: string, { state, reason }: {
    state?: string;
    reason?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: string;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 409;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    } | {
        status: number;
        data: Problem;
    }>(`/v1/campaigns/${encodeURIComponent(id)}/report.csv${QS.query(QS.explode({
        state,
        reason
    }))}`, {
        ...opts
    });
}
/**
 * The whole report, one JSON object a line
 */
export function getReportNdjson(id: string, { state, reason }: {
    state?: string;
    reason?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: string;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 409;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    } | {
        status: number;
        data: Problem;
    }>(`/v1/campaigns/${encodeURIComponent(id)}/report.ndjson${QS.query(QS.explode({
        state,
        reason
    }))}`, {
        ...opts
    });
}
/**
 * The whole report with the campaign, as one JSON document
 */
export function getReportJson(id: string, { state, reason }: {
    state?: string;
    reason?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            campaign: Campaign;
            items: ReportRow[];
        };
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 409;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    } | {
        status: number;
        data: Problem;
    }>(`/v1/campaigns/${encodeURIComponent(id)}/report.json${QS.query(QS.explode({
        state,
        reason
    }))}`, {
        ...opts
    });
}
/**
 * Erase a recipient: number, names and texts
 */
export function eraseRecipient(newErasure: NewErasure, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: Erasure;
    } | {
        status: 202;
        data: Erasure;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    } | {
        status: number;
        data: Problem;
    }>("/v1/recipients/erasures", oazapfts.json({
        ...opts,
        method: "POST",
        body: newErasure
    }));
}
/**
 * The receipt of an erasure
 */
export function getErasure(id: string, { timeoutMs }: {
    timeoutMs?: number;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: Erasure;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    } | {
        status: number;
        data: Problem;
    }>(`/v1/recipients/erasures/${encodeURIComponent(id)}${QS.query(QS.explode({
        timeoutMs
    }))}`, {
        ...opts
    });
}
/**
 * Check a template against every documented limit
 */
export function validateTemplate(validateTemplate: ValidateTemplate, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: TemplateValidation;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    } | {
        status: number;
        data: Problem;
    }>("/v1/templates/validate", oazapfts.json({
        ...opts,
        method: "POST",
        body: validateTemplate
    }));
}
/**
 * Submit a template for review, and follow it
 */
export function submitTemplate(submitTemplate: SubmitTemplate, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: Template;
    } | {
        status: 202;
        data: Template;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 409;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    } | {
        status: number;
        data: Problem;
    }>("/v1/templates", oazapfts.json({
        ...opts,
        method: "POST",
        body: submitTemplate
    }));
}
/**
 * List templates, by instance and name
 */
export function listTemplates({ instance, cursor, limit }: {
    instance?: string;
    cursor?: string;
    limit?: number;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: TemplateList;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    } | {
        status: number;
        data: Problem;
    }>(`/v1/templates${QS.query(QS.explode({
        instance,
        cursor,
        limit
    }))}`, {
        ...opts
    });
}
/**
 * A template with every change of it
 */
export function getTemplate(instance: string, elementName: string, { wait, timeoutMs }: {
    wait?: "submitted" | "decided";
    timeoutMs?: number;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: Template;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 409;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    } | {
        status: number;
        data: Problem;
    }>(`/v1/templates/${encodeURIComponent(instance)}/${encodeURIComponent(elementName)}${QS.query(QS.explode({
        wait,
        timeoutMs
    }))}`, {
        ...opts
    });
}
/**
 * An operator's decision on a review that cannot be read, or not soon enough
 */
export function setTemplateReview(instance: string, elementName: string, setTemplateReview: SetTemplateReview, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: Template;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 409;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    } | {
        status: number;
        data: Problem;
    }>(`/v1/templates/${encodeURIComponent(instance)}/${encodeURIComponent(elementName)}/review`, oazapfts.json({
        ...opts,
        method: "POST",
        body: setTemplateReview
    }));
}
/**
 * Put a recipient on the suppression list
 */
export function addSuppression(addSuppression: AddSuppression, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: Suppression;
    } | {
        status: 201;
        data: Suppression;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    } | {
        status: number;
        data: Problem;
    }>("/v1/suppressions", oazapfts.json({
        ...opts,
        method: "POST",
        body: addSuppression
    }));
}
/**
 * Who is on the suppression list, newest first
 */
export function listSuppressions({ to, defaultCountry, instance, source, scope, removed, cursor, limit }: {
    to?: string;
    defaultCountry?: string;
    instance?: string;
    source?: "stop_word" | "operator" | "import";
    scope?: "marketing" | "all";
    removed?: "true" | "";
    cursor?: string;
    limit?: number;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: SuppressionList;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    } | {
        status: number;
        data: Problem;
    }>(`/v1/suppressions${QS.query(QS.explode({
        to,
        defaultCountry,
        instance,
        source,
        scope,
        removed,
        cursor,
        limit
    }))}`, {
        ...opts
    });
}
/**
 * Take a recipient off the suppression list
 */
export function removeSuppression(removeSuppression: RemoveSuppression, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: RemovedSuppressions;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    } | {
        status: number;
        data: Problem;
    }>("/v1/suppressions/remove", oazapfts.json({
        ...opts,
        method: "POST",
        body: removeSuppression
    }));
}
/**
 * Put every recipient of a file on the suppression list
 */
export function importSuppressions(body: string, { instance, scope, defaultCountry, delimiter }: {
    instance?: string;
    scope?: "marketing" | "all";
    defaultCountry?: string;
    delimiter?: "," | ";" | "tab" | "|";
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: ImportedSuppressions;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    } | {
        status: number;
        data: Problem;
    }>(`/v1/suppressions/import${QS.query(QS.explode({
        instance,
        scope,
        defaultCountry,
        delimiter
    }))}`, {
        ...opts,
        method: "POST",
        body
    });
}
/**
 * What the gateway has told of each instance, counted
 */
export function listNotifications(opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            items: NotificationSummary[];
        };
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    } | {
        status: number;
        data: Problem;
    }>("/v1/notifications", {
        ...opts
    });
}
/**
 * Apply stored notifications again
 */
export function beginReplay(replayRequest: ReplayRequest, { idempotencyKey }: {
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 202;
        data: Replay;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    } | {
        status: number;
        data: Problem;
    }>("/v1/notifications/replays", oazapfts.json({
        ...opts,
        method: "POST",
        body: replayRequest,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * How far a replay is
 */
export function getReplay(id: string, { wait, timeoutMs }: {
    wait?: "end";
    timeoutMs?: number;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: Replay;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    } | {
        status: number;
        data: Problem;
    }>(`/v1/notifications/replays/${encodeURIComponent(id)}${QS.query(QS.explode({
        wait,
        timeoutMs
    }))}`, {
        ...opts
    });
}
/**
 * The gateway's notifications
 */
export function receiveNotification(instance: string, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    } | {
        status: number;
        data: Problem;
    }>(`/webhooks/${encodeURIComponent(instance)}`, {
        ...opts,
        method: "POST"
    });
}
/**
 * Run a gateway operation as a durable job
 */
export function beginOperation(method: string, operationRequest: OperationRequest, { idempotencyKey, wait, timeoutMs }: {
    idempotencyKey?: string;
    wait?: "" | "true" | "end";
    timeoutMs?: number;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: Operation;
    } | {
        status: 202;
        data: Operation;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    } | {
        status: number;
        data: Problem;
    }>(`/v1/operations/${encodeURIComponent(method)}${QS.query(QS.explode({
        wait,
        timeoutMs
    }))}`, oazapfts.json({
        ...opts,
        method: "POST",
        body: operationRequest,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * An operation as it stands
 */
export function getOperation(method: string, id: string, { wait, timeoutMs }: {
    wait?: "" | "true" | "end";
    timeoutMs?: number;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: Operation;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 409;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    } | {
        status: number;
        data: Problem;
    }>(`/v1/operations/${encodeURIComponent(method)}/${encodeURIComponent(id)}${QS.query(QS.explode({
        wait,
        timeoutMs
    }))}`, {
        ...opts
    });
}
/**
 * Create a schedule of campaigns
 */
export function createSchedule(newSchedule: NewSchedule, { idempotencyKey }: {
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: Schedule;
    } | {
        status: 201;
        data: Schedule;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    } | {
        status: number;
        data: Problem;
    }>("/v1/schedules", oazapfts.json({
        ...opts,
        method: "POST",
        body: newSchedule,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * List schedules with their next runs, newest first
 */
export function listSchedules({ state, cursor, limit }: {
    state?: "active" | "paused";
    cursor?: string;
    limit?: number;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: ScheduleList;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    } | {
        status: number;
        data: Problem;
    }>(`/v1/schedules${QS.query(QS.explode({
        state,
        cursor,
        limit
    }))}`, {
        ...opts
    });
}
/**
 * A schedule with its next and its latest runs
 */
export function getSchedule(id: string, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: ScheduleWithRuns;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    } | {
        status: number;
        data: Problem;
    }>(`/v1/schedules/${encodeURIComponent(id)}`, {
        ...opts
    });
}
/**
 * Delete a schedule
 */
export function deleteSchedule(id: string, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            deleted: boolean;
        };
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    } | {
        status: number;
        data: Problem;
    }>(`/v1/schedules/${encodeURIComponent(id)}`, {
        ...opts,
        method: "DELETE"
    });
}
/**
 * Pause a schedule
 */
export function pauseSchedule(id: string, scheduleNote: ScheduleNote, { idempotencyKey }: {
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: Schedule;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    } | {
        status: number;
        data: Problem;
    }>(`/v1/schedules/${encodeURIComponent(id)}/pause`, oazapfts.json({
        ...opts,
        method: "POST",
        body: scheduleNote,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * Resume a paused schedule
 */
export function resumeSchedule(id: string, scheduleNote: ScheduleNote, { idempotencyKey }: {
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: Schedule;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    } | {
        status: number;
        data: Problem;
    }>(`/v1/schedules/${encodeURIComponent(id)}/resume`, oazapfts.json({
        ...opts,
        method: "POST",
        body: scheduleNote,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * Run a schedule now
 */
export function triggerSchedule(id: string, { idempotencyKey }: {
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 202;
        data: ScheduleRun;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    } | {
        status: number;
        data: Problem;
    }>(`/v1/schedules/${encodeURIComponent(id)}/trigger`, {
        ...opts,
        method: "POST",
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    });
}
/**
 * Run a schedule for times that have passed
 */
export function backfillSchedule(id: string, backfillSchedule: BackfillSchedule, { idempotencyKey }: {
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 202;
        data: {
            runs: ScheduleRun[];
        };
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    } | {
        status: number;
        data: Problem;
    }>(`/v1/schedules/${encodeURIComponent(id)}/backfill`, oazapfts.json({
        ...opts,
        method: "POST",
        body: backfillSchedule,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * The configured instances, without their tokens, and how they are
 */
export function listInstances(opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            items: Instance[];
        };
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    } | {
        status: number;
        data: Problem;
    }>("/v1/instances", {
        ...opts
    });
}
/**
 * One instance, without its tokens, and how it is
 */
export function getInstance(name: string, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: Instance;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    } | {
        status: number;
        data: Problem;
    }>(`/v1/instances/${encodeURIComponent(name)}`, {
        ...opts
    });
}
/**
 * Pause an instance
 */
export function pauseInstance(name: string, { idempotencyKey, timeoutMs }: {
    idempotencyKey?: string;
    timeoutMs?: number;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: PausedInstance;
    } | {
        status: 202;
        data: PausedInstance;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    } | {
        status: number;
        data: Problem;
    }>(`/v1/instances/${encodeURIComponent(name)}/pause${QS.query(QS.explode({
        timeoutMs
    }))}`, {
        ...opts,
        method: "POST",
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    });
}
/**
 * Resume a paused instance
 */
export function resumeInstance(name: string, { idempotencyKey }: {
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: ResumedInstance;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 409;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    } | {
        status: number;
        data: Problem;
    }>(`/v1/instances/${encodeURIComponent(name)}/resume`, {
        ...opts,
        method: "POST",
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    });
}
/**
 * Read something of an account again and again
 */
export function beginJob(newRecurringJob: NewRecurringJob, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: RecurringJob;
    } | {
        status: 201;
        data: RecurringJob;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    } | {
        status: number;
        data: Problem;
    }>("/v1/jobs", oazapfts.json({
        ...opts,
        method: "POST",
        body: newRecurringJob
    }));
}
/**
 * List recurring jobs
 */
export function listJobs(opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            items: RecurringJob[];
        };
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    } | {
        status: number;
        data: Problem;
    }>("/v1/jobs", {
        ...opts
    });
}
/**
 * Stop a recurring job; what it stored is kept
 */
export function stopJob(id: string, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            stopped: boolean;
        };
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    } | {
        status: number;
        data: Problem;
    }>(`/v1/jobs/${encodeURIComponent(id)}`, {
        ...opts,
        method: "DELETE"
    });
}
/**
 * List stored stories, newest first
 */
export function listStories({ instance, cursor, limit }: {
    instance?: string;
    cursor?: string;
    limit?: number;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: StoryList;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    } | {
        status: number;
        data: Problem;
    }>(`/v1/stories${QS.query(QS.explode({
        instance,
        cursor,
        limit
    }))}`, {
        ...opts
    });
}
/**
 * Store the data of a group as it is now
 */
export function takeSnapshot(instance: string, groupId: string, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: GroupSnapshot;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    } | {
        status: number;
        data: Problem;
    }>(`/v1/groups/${encodeURIComponent(instance)}/${encodeURIComponent(groupId)}/snapshots`, {
        ...opts,
        method: "POST"
    });
}
/**
 * The states of a group, newest first, each with what changed
 */
export function listSnapshots(instance: string, groupId: string, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: GroupSnapshotList;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    } | {
        status: number;
        data: Problem;
    }>(`/v1/groups/${encodeURIComponent(instance)}/${encodeURIComponent(groupId)}/snapshots`, {
        ...opts
    });
}
/**
 * Decrypt payloads of Temporal's histories
 */
export function decodePayloads(givenPayloads: GivenPayloads, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: Payloads;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    } | {
        status: number;
        data: Problem;
    }>("/codec/decode", oazapfts.json({
        ...opts,
        method: "POST",
        body: givenPayloads
    }));
}
/**
 * Encrypt payloads for Temporal's histories
 */
export function encodePayloads(givenPayloads: GivenPayloads, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: Payloads;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    } | {
        status: number;
        data: Problem;
    }>("/codec/encode", oazapfts.json({
        ...opts,
        method: "POST",
        body: givenPayloads
    }));
}
/**
 * The process runs
 */
export function livez(opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: Health;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: number;
        data: Problem;
    }>("/livez", {
        ...opts
    });
}
/**
 * The ledger can be reached
 */
export function readyz(opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: Health;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    } | {
        status: number;
        data: Problem;
    }>("/readyz", {
        ...opts
    });
}
/**
 * This document
 */
export function openapi(opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            openapi: string;
            [key: string]: any;
        };
    } | {
        status: 500;
        data: Problem;
    } | {
        status: number;
        data: Problem;
    }>("/openapi.json", {
        ...opts
    });
}
/**
 * This document as a page
 */
export function docs(opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: string;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: number;
        data: Problem;
    }>("/docs", {
        ...opts
    });
}
