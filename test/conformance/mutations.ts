/** A rule of the gateway's document, and the change of one place in src/simulator that breaks it. */
export interface Mutation {
  readonly rule: string;
  /** Its path in src/simulator. */
  readonly file: string;
  /** Exactly as in the file, where it occurs once. */
  readonly source: string;
  readonly mutated: string;
}

/** File, then rule: the source and its replacement. */
const BY_FILE: Readonly<Record<string, Readonly<Record<string, readonly [source: string, mutated: string]>>>> = {
  'account/edit-message.ts': {
    'edit.late-answers-200': [`const description =`, `throw new WireError(400, 'too late'); const description =`],
    'edit.late-refusal-notice': [
      `notifyStatus(instance, { chatId, idMessage: returnedId, status: 'failed', description }, nowMs);`,
      '',
    ],
    'edit.no-second-message': [
      `showNewText(instance, message, { text: request.text, editId }, nowMs);`,
      `const [shown] = instance.world.phones.received; if (shown) instance.world.phones.receive(shown);`,
    ],
    'edit.only-sent-through-api': [`!message.sendByApi`, 'false'],
    'edit.only-text': [`if (!isText)`, `if (false)`],
    'edit.inside-window': [`nowMs - message.atMs > WINDOW_MS`, 'true'],
    'edit.window-15-minutes': [`15 * 60_000`, 'Infinity'],
    'notifications.edited': [`if (instance.settings[`, `if (typeMessage === 'editedMessage' || instance.settings[`],
    'notifications.deleted': [`if (instance.settings[`, `if (typeMessage === 'editedMessage' && instance.settings[`],
  },

  'account/file-facts.ts': {
    'send-file.type-by-file-name-first': [`if (byExtension !== undefined) return byExtension;`, ''],
    'send-file.type-by-content-type-second': [
      `{ contentType = '', bytesHex = '' }: Partial<FileFacts> = {}): FileType {`,
      `{ bytesHex = '' }: Partial<FileFacts> = {}, contentType = ''): FileType {`,
    ],
    'send-file.type-by-bytes-third': [`= bytesHex.toLowerCase()`, `= ''`],
    'send-file.type-else-binary': [`?? 'documentMessage';`, `?? 'imageMessage';`],
    'limits.file-100-mb': [`100 * 1024 * 1024`, 'Infinity'],
  },

  'gateway-model.ts': {
    'webhook.pushes-to-settings-address': [`instance.outbox.next(this.#nowMs)`, 'undefined'],
  },

  'http/gateway-routes.ts': {
    'errors.unauthorized': [`target.token !== apiTokenInstance`, 'false'],
    'errors.wrong-verb': [`verb !== operation.verb`, 'false'],
    'errors.read-chat.body-shape': [`statusCode: error.status,`, `code: error.status,`],
    'limits.request-100-kb': [`100 * 1024`, 'Infinity'],
    'versioning.read-chat-v3': [`(?<v3>v3\\/)?`, `(?<v3>v4\\/)?`],
    'versioning.error-path-without-v3': ['path: `/waInstance', "path: `/${v3 ?? ''}waInstance"],
  },

  'account/groups.ts': {
    'errors.group.item-not-found': [`'Error: item-not-found'`, '{}'],
    'errors.group.forbidden': [`return 'Error: forbidden';`, `return {};`],
    'group.community-fields-for-admins-only': [`isAdmin ? { isCommunity`, `true ? { isCommunity`],
    'group-data.invite-link-for-admins': [`isAdmin ? group.groupInviteLink`, `true ? group.groupInviteLink`],
  },

  'account/instance.ts': {
    'events.status-instance-changed': [
      `{ statusInstance: status }`,
      `{ statusInstance: status, stateInstance: this.state }`,
    ],
    'state.yellow-card-accepts': [`return this.state === 'authorized';`, `return this.isLinked;`],
    'queue.waits-until-authorized': [`return this.state === 'authorized';`, `return this.state !== 'yellowCard';`],
    'queue.leaves-on-authorization': [
      `    this.state = state;`,
      `    if (state === 'authorized') return this.schedule(nowMs + 1000, () => { this.state = state; });
           this.state = state;`,
    ],
  },

  'account/message-journal.ts': {
    'journal.get-message': [`...(message.isEdited ?`, `...(false ?`],
  },

  'account/notification-outbox.ts': {
    'polling.oldest-first': [`return this.#waiting.find(`, `return this.#waiting.findLast(`],
    'webhook.gives-up-after-24-hours': [`24 * 3_600_000`, 'Infinity'],
    'webhook.throughput-50-per-second': [`const BETWEEN_MS = 20;`, `const BETWEEN_MS = 0;`],
  },

  'account/notifications.ts': {
    'events.stateWebhook': [
      `if (instance.settings[setting]`,
      `if (!setting.startsWith('stat') && instance.settings[setting]`,
    ],
    'events.deviceWebhook': [
      `if (instance.settings[setting]`,
      `if (setting !== 'deviceWebhook' && instance.settings[setting]`,
    ],
    'notifications.incoming-call': [
      `if (instance.settings[setting]`,
      `if (setting !== 'incomingCallWebhook' && instance.settings[setting]`,
    ],
    'notifications.incoming-block': [
      `if (instance.settings[setting]`,
      `if (setting !== 'incomingBlockWebhook' && instance.settings[setting]`,
    ],
    'notifications.quota-exceeded': [
      `instance.outbox.add({ ...sender(instance, 'quotaExceeded'), quotaData }, nowMs);`,
      '',
    ],
    'events.outgoingWebhook': [`if (!always && instance.settings.outgoingWebhook === 'no') return;`, ''],
    'notifications.sent-status': [`instance.settings.outgoingWebhook === 'no'`, 'true'],
    'notifications.poll-needs-setting': [`if (isPoll && instance.settings.pollMessageWebhook === 'no') return;`, ''],
    'events.incomingWebhook': [`settings.incomingWebhook === 'yes'`, 'true'],
    'notifications.outgoingAPIMessageWebhook': [
      `return settings[flag] === 'yes'`,
      `return sendByApi || settings[flag] === 'yes'`,
    ],
    'notifications.outgoingMessageWebhook': [
      `return settings[flag] === 'yes'`,
      `return !sendByApi || settings[flag] === 'yes'`,
    ],
  },

  'operations/operations.ts': {
    'read-chat.needs-setting': [`if (settings.incomingWebhook === 'no') return { setRead: false };`, ''],
    'read-chat.not-before-setting': [`type === 'incoming' && noticed`, `type === 'incoming'`],
    'read-chat.all-unread': [`idMessage === undefined ? markable`, `idMessage === undefined ? []`],
    'read-chat.one-message': [`markable.filter((one) => one.idMessage === idMessage)`, 'markable'],
    'upload-file.type-or-name': [`if (!isNamed)`, 'if (false)'],
    'errors.edit.validation': [
      `new RequestFields(body, DETAILS);
      return {`,
      `new RequestFields({ chatId: '1@c.us', idMessage: '1', message: '1', ...body }, DETAILS);
      return {`,
    ],
    'limits.edit-message-20000': [`fields.text('message', 20_000)`, `fields.text('message')`],
    'errors.group.validation': [`fields.text('groupId')`, `fields.optionalText('groupId') ?? '1@g.us'`],
    'errors.group.id-format': [`!/^\\d+(-\\d+)?@g\\.us$/.test(groupId)`, 'false'],
    'errors.read-chat.validation': [`fields.text('chatId')`, `fields.optionalText('chatId') ?? '1'`],
    'identifier.read-chat-bare-digits': [`/^\\d+$/.test(given)`, 'false'],
    'journal.last-outgoing': [`instance.journal.outgoingSince(nowMs - minutes * 60_000).map(journalEntry)`, '[]'],
    'limits.stories-default-1440': [`return 1440;`, `return Infinity;`],
    'stories.minutes': [`atMs >= nowMs - minutes * 60_000`, 'true'],
  },

  'account/outgoing-item.ts': {
    'queue-item.only-documented-kinds': [
      `if (listed === undefined) return undefined;`,
      `if (listed === undefined) return { messageID: ids[0], type: content.kind, body: { chatId } };`,
    ],
    'queue-item.send-message.body': [
      `linkPreview: content.linkPreview }`,
      `linkPreview: content.linkPreview, typingTime: null }`,
    ],
    'queue-item.send-file-by-url.body': [`archive: true }`, `archive: true, typingTime: null }`],
    'queue-item.send-poll.body': [`options: content.options }`, `options: content.options, typingTime: null }`],
    'queue-item.send-location.body': [
      `body: { latitude, longitude, nameLocation, address }`,
      `body: { latitude, longitude, nameLocation, address, typingTime: null }`,
    ],
    'queue-item.send-contact.body': [
      `body: { contact: content.contact }`,
      `body: { contact: content.contact, typingTime: null }`,
    ],
    'queue-item.send-link.body': [
      `body: { urlLink: content.urlLink }`,
      `body: { urlLink: content.urlLink, typingTime: null }`,
    ],
    'queue-item.forward-messages.body': [
      `messages: content.messages }`,
      `messages: content.messages, typingTime: null }`,
    ],
  },

  'operations/polling-operations.ts': {
    'polling.without-webhook-url': [`instance.settings.webhookUrl !== ''`, 'false'],
    'polling.kept-until-deleted': [`instance.outbox.delete(receiptId)`, 'true'],
    'polling.receive-timeout': [
      `throw new WireError(400, "Validation failed. Details: 'receiveTimeout'`,
      `return 0; throw new WireError(400, "'receiveTimeout'`,
    ],
  },

  'wire/request-fields.ts': {
    'text.without-bom': [`value.startsWith(BYTE_ORDER_MARK)`, 'false'],
    'identifier.chat-id-format': [`!CHAT_ID.test(chatId)`, 'false'],
  },

  'operations/send-operations.ts': {
    'limits.send-message-20000': [`fields.text('message', 20_000)`, `fields.text('message')`],
    'errors.send-file.validation': [
      `const fields = new RequestFields(body, DETAILS);
      const chatId = fields.chatId();
      const quotedMessageId`,
      `const urlFile = String(body['urlFile'] ?? 'https://1');
      const fields = new RequestFields({ chatId: '1@c.us', fileName: '1', ...body, urlFile }, DETAILS);
      const chatId = fields.chatId();
      const quotedMessageId`,
    ],
    'errors.send-file.url-format': [`!/^https?:\\/\\/./.test(urlFile)`, 'false'],
    'limits.caption-20000': [`fields.optionalText('caption', 20_000)`, `fields.optionalText('caption')`],
    'send-file.typing-time-seconds': [`{ min: 1, max: 20 }`, '{}'],
    'send-file.typing-default-1-second': [`?? 1) * 1000`, `?? 0) * 1000`],
    'send-file.typing-type-recording': [`fields.oneOf('typingType', TYPING_TYPES);`, ''],
    'limits.poll-message-255': [`fields.text('message', 255)`, `fields.text('message')`],
    'poll.options-2-to-12': [`options.length < 2 || options.length > 12`, 'false'],
    'poll.options-unique': [`new Set(options.map(({ optionName }) => optionName)).size !== options.length`, 'false'],
    'poll.typing-time-milliseconds': [
      `multipleAnswers, typingMs: fields.integer('typingTime', TYPING_MS)`,
      `multipleAnswers, typingMs: fields.integer('typingTime', {})`,
    ],
    'location.ranges': [`{ min: -90, max: 90 }`, '{}'],
    'contact.phone-digits': [`!isPhone || !/^\\d+$/.test(String(phoneContact))`, '!isPhone'],
    'errors.status.forbidden': [`!context.instance.accounts.beta`, 'false'],
    'errors.status.validation': [
      `new RequestFields(body, DETAILS);
      const text = fields.text('message', 500);`,
      `new RequestFields({ message: '1', ...body }, DETAILS);
      const text = fields.text('message', 500);`,
    ],
    'limits.status-text-500': [`fields.text('message', 500)`, `fields.text('message')`],
    'status.background-hex': [`!HEX_COLOUR.test(backgroundColor)`, 'false'],
    'status.background-not-white': [`WHITE.test(backgroundColor)`, 'false'],
    'status.background-default-black': [`?? '#000000'`, `?? '#000001'`],
    'status.font': [`fields.oneOf('font', FONTS)`, `fields.optionalText('font')`],
    'typing.empty-answer': [
      `enqueue(asked, [], context);
      return undefined;`,
      `return { idMessage: enqueue(asked, [], context) };`,
    ],
    'typing.validation': [
      `new RequestFields(body, 'Validation failed, ')`,
      `new RequestFields({ chatId: '1@c.us', ...body }, 'Validation failed, ')`,
    ],
    'typing.typingType': [`fields.oneOf('typingType', TYPING_TYPES) ?? 'typing'`, `'typing'`],
    'errors.typing.not-a-number': [
      `const typingMs = fields.integer('typingTime', TYPING_MS) ?? 0;
      return { chatId, content: { kind: 'typing'`,
      `const typingMs = 0;
      return { chatId, content: { kind: 'typing'`,
    ],
    'limits.typing-min-1000': [`{ min: 1000, max: 20_000 }`, `{ min: 0, max: 20_000 }`],
    'limits.typing-max-20000': [`{ min: 1000, max: 20_000 }`, `{ min: 1000 }`],
    'quote.invalid-answers-200': [
      `run: (asked, context) => ({ idMessage`,
      `run: (asked, context) => ({ [asked.quotedMessageId === undefined ? 'idMessage' : 'error']`,
    ],
  },

  'account/send-queue.ts': {
    'queue.fifo-order': [`this.#items.shift()`, `this.#items.pop()`],
    'queue.release-by-delay': [`this.#restedAtMs + delayMs`, `this.#restedAtMs`],
    'queue.status-occupies': [
      `this.#restedAtMs = nowMs`,
      `if (head.content.kind !== 'status') this.#restedAtMs = nowMs`,
    ],
    'queue.typing-occupies': [
      `this.#restedAtMs = nowMs`,
      `if (head.content.kind !== 'typing') this.#restedAtMs = nowMs`,
    ],
    'queue.kept-24-hours': [`24 * 3_600_000`, `240 * 3_600_000`],
  },

  'account/send-to-phone.ts': {
    'send-file.takes-seconds': [`'typingMs' in content`, `content.kind !== 'file' && 'typingMs' in content`],
    'typing.delivery-time': [`'typingMs' in content`, `content.kind !== 'typing' && 'typingMs' in content`],
    'send-file.native-media': [`= fileType(fileName, files.get(urlFile))`, `= 'documentMessage'`],
    'edit.window-counts-from-sending': [
      `STATUS_CHAT : instance.shown(item.chatId),
    atMs: nowMs,`,
      `STATUS_CHAT : instance.shown(item.chatId),
    atMs: item.acceptedAtMs,`,
    ],
    'send-file.caption': [`typeMessage === 'audioMessage' ? undefined : caption`, 'undefined'],
    'forward.known-only': [`source === undefined ? unknown : refusalOf(instance, item)`, `refusalOf(instance, item)`],
    'forward.marked': [`isForwarded: true,`, `isForwarded: false,`],
    'quote.known-only': [
      `quoted?.chatId !== instance.shown(chatId) || !quoted.noticed`,
      `quoted !== undefined && (quoted.chatId !== chatId || !quoted.noticed)`,
    ],
    'quote.same-chat': [`quoted?.chatId !== instance.shown(chatId) || !quoted.noticed`, `quoted?.noticed !== true`],
    'quote.incoming-needs-setting': [
      `quoted?.chatId !== instance.shown(chatId) || !quoted.noticed`,
      `quoted?.chatId !== chatId || !(quoted.noticed || quoted.type === 'incoming')`,
    ],
    'quote.phone-sent-needs-setting': [
      `quoted?.chatId !== instance.shown(chatId) || !quoted.noticed`,
      `quoted?.chatId !== chatId || !(quoted.noticed || quoted.type === 'outgoing')`,
    ],
    'status.participants': [`participants.length === 0 ?`, `true ?`],
    'status.participants-empty-means-all': [`participants.length === 0 ?`, `false ?`],
    'status.participants-unknown-skipped': [
      `participants.filter((one) => !instance.accounts.noAccount.includes(one))`,
      `participants`,
    ],
  },

  'account/settings.ts': {
    'settings.delay-range': [`{ min: 500, max: 600_000 }`, '{}'],
    'settings.flags-yes-or-no': [`fields.oneOf(name, ['yes', 'no'])`, `fields.optionalText(name)`],
    'settings.at-least-one': [`Object.keys(changed).length === 0`, 'false'],
  },

  'simulation.ts': {
    'rate-limit.per-second': [`!this.#gates.take(idInstance, name, perSecond, this.clock.nowMs())`, 'false'],
  },

  'http/start-simulator.ts': {
    'webhook.retry-every-minute': [`webhookRetryMs ?? 60_000`, `webhookRetryMs ?? 20`],
  },

  'account/template-request.ts': {
    'create-template.required-fields': [
      `new RequestFields(given, 'Validation failed. Details: ')`,
      `new RequestFields({ elementName: '1', languageCode: 'en', category: 'UTILITY', templateType: 'TEXT', vertical: '1',
         content: '1', example: '1', ...given }, 'Validation failed. Details: ')`,
    ],
    'create-template.elementName-characters': [`!/^[a-z0-9_]*$/.test(elementName)`, 'false'],
    'create-template.languageCode-listed': [
      `fields.requiredOneOf('languageCode', LANGUAGES)`,
      `fields.text('languageCode')`,
    ],
    'create-template.category-listed': [`!CATEGORIES.includes(category)`, 'false'],
    'create-template.templateType-listed': [
      `fields.requiredOneOf('templateType', TYPES)`,
      `fields.text('templateType')`,
    ],
    'limits.vertical-180': [`fields.text('vertical', 180)`, `fields.text('vertical')`],
    'create-template.authentication-example-default': [`?? CODE_EXAMPLE`, `?? ''`],
    'create-template.authentication-content-default': [`? CODE_CONTENT`, `? ''`],
    'limits.content-550': [`fields.text('content', 550)`, `fields.text('content')`],
    'limits.content-10-emoji': [`emoji > 10`, 'false'],
    'limits.header-60': [`fields.optionalText('header', 60)`, `fields.optionalText('header')`],
    'create-template.header-for-text-only': [`templateType !== 'TEXT'`, 'false'],
    'create-template.exampleHeader-with-header': [`header !== undefined && !example`, 'false'],
    'create-template.exampleHeader-lowercase': [`/\\p{Lu}/u.test(example)`, 'false'],
    'limits.footer-60': [`fields.optionalText('footer', 60)`, `fields.optionalText('footer')`],
    'create-template.authentication-needs-otp-button': [`!buttons.some(({ type }) => type === 'OTP')`, 'false'],
    'limits.code-expiration-1-to-90': [`{ min: 1, max: 90 }`, '{}'],
    'create-template.buttons-string-or-list': [`typeof given === 'string'`, 'false'],
    'button.type': [`typeof type !== 'string' || !BUTTON_TYPES.includes(type)`, 'false'],
    'button.text': [`throw fields.error("button 'text' is required");`, `return { type, text: '' };`],
    'limits.button-text-20': [`type === 'PHONE_NUMBER' ? 20 : 25`, '25'],
    'limits.button-text-25': [`type === 'PHONE_NUMBER' ? 20 : 25`, `type === 'PHONE_NUMBER' ? 20 : Infinity`],
  },

  'account/templates.ts': {
    'create-template.elementName-unique': [`if (taken)`, `if (false)`],
    'template.modified-equals-created': [`modifiedOnMs: nowMs`, `modifiedOnMs: nowMs + 1`],
    'template-status.pending-when-new': [`status: 'PENDING'`, `status: 'APPROVED'`],
    'template-status.reason-when-failed': [`optionalField('reason', reason)`, '{}'],
    'send-template.approved-only': [`template.status !== 'APPROVED'`, 'false'],
    'send-template.params': [`names.length !== params.length`, 'false'],
    'create-template.category-change-ignored': [
      `allowTemplateCategoryChange: 'false'`,
      `allowTemplateCategoryChange: String(request.given['allowTemplateCategoryChange'])`,
    ],
    'create-template.security-recommendation': [`addSecurityRecommendation ?`, `false ?`],
    'create-template.expiry-sentence': [`minutes === undefined ?`, `true ?`],
  },

  'webhook-pusher.ts': {
    'webhook.post-json-with-charset': [`; charset=utf-8`, ''],
    'webhook.authorization.when-token-set': [`token === '' ?`, `true ?`],
    'webhook.authorization.basic': [`token.startsWith('Basic ')`, 'false'],
    'webhook.authorization.bearer': [`token.startsWith('Bearer ')`, 'false'],
    'webhook.authorization.bearer-default': ['`Bearer ${token}`', 'token'],
  },
};

export const MUTATIONS: readonly Mutation[] = Object.entries(BY_FILE).flatMap(([file, rules]) =>
  Object.entries(rules).map(([rule, [source, mutated]]) => ({ rule, file, source, mutated })),
);
