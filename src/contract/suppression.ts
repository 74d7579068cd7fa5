/** An entry of the suppression list blocks marketing messages, or all messages. */
export const SuppressionScope = { marketing: 'marketing', all: 'all' } as const;
export type SuppressionScope = (typeof SuppressionScope)[keyof typeof SuppressionScope];

/**
 * The origin of an entry: the recipient sent a STOP word, an operator used a command or request, or a file was
 * imported.
 */
export const SuppressionSource = { stop_word: 'stop_word', operator: 'operator', import: 'import' } as const;
export type SuppressionSource = (typeof SuppressionSource)[keyof typeof SuppressionSource];

/** Whether an operator, or a later word of the recipient, has decided about a message that may mean STOP. */
export const PossibleOptOutState = { open: 'open', accepted: 'accepted', dismissed: 'dismissed' } as const;
export type PossibleOptOutState = (typeof PossibleOptOutState)[keyof typeof PossibleOptOutState];

/** The verdict on a line of an imported file: whether it became an entry of the list, or why not. */
export const SuppressionVerdict = {
  added: 'added',
  /** The list had an entry of an import with the same scope for the same accounts. */
  already: 'already',
  bad_number: 'bad_number',
  several_numbers: 'several_numbers',
  lost_in_spreadsheet: 'lost_in_spreadsheet',
  country_missing: 'country_missing',
  country_unclear: 'country_unclear',
  number_missing: 'number_missing',
  unreadable: 'unreadable',
  bad_value: 'bad_value',
} as const;
export type SuppressionVerdict = (typeof SuppressionVerdict)[keyof typeof SuppressionVerdict];
export const SUPPRESSION_VERDICTS = Object.values(SuppressionVerdict);

/**
 * Words by which recipients opt out of marketing messages, or opt in again.
 *
 * A word counts only if it is the whole message, so it may be common as long as it is not a usual reply to a question.
 * Left out on purpose:
 * - `yes`, `si`, `ja` … as START: a recipient who has said STOP and then answers any question would be written to
 *   again;
 * - words with another meaning in another language, since by default all languages count: `red` (Turkish: refused),
 *   `dur` (Turkish: stop; French: hard), `alta` (Spanish: subscribe; high), `alto` (Spanish: stop; high);
 * - menu words such as `menu`, `exit`, `voltar`, `keluar`. `cancel`, `end` and `quit` are required by carriers in
 * English; an instance whose customers answer with one of them removes it by `except`.
 */
export const OPT_OUT_WORDS = {
  ar: {
    stop: ['توقف', 'إيقاف', 'قف', 'إلغاء الاشتراك', 'الغاء اشتراك'],
    start: ['ابدأ', 'اشتراك', 'اشترك'],
  },
  cs: { stop: ['odhlásit', 'odhlásit se', 'zrušit odběr'], start: ['přihlásit odběr', 'obnovit odběr'] },
  da: { stop: ['afmeld', 'frameld', 'afmeld mig'], start: ['tilmeld', 'tilmeld mig'] },
  de: {
    stop: ['stopp', 'abmelden', 'abbestellen', 'austragen', 'keine werbung', 'keine nachrichten mehr'],
    start: ['anmelden', 'wieder anmelden'],
  },
  el: { stop: ['στοπ', 'διακοπή', 'διαγραφή'], start: ['εγγραφή'] },
  en: {
    stop: [
      'stop',
      'stopall',
      'stop all',
      'unsubscribe',
      'unsubscribe me',
      'cancel',
      'end',
      'quit',
      'revoke',
      'optout',
      'opt out',
      'remove me',
      'stop messages',
      'no more messages',
    ],
    start: ['start', 'unstop', 'subscribe', 'resubscribe', 'optin', 'opt in'],
  },
  es: {
    stop: ['baja', 'darme de baja', 'dar de baja', 'parar', 'cancelar suscripción', 'no más mensajes'],
    start: ['darme de alta', 'dar de alta', 'suscribirme', 'reanudar'],
  },
  fa: { stop: ['لغو', 'لغو11', 'لغو اشتراک', 'انصراف'], start: ['شروع', 'عضویت'] },
  fi: { stop: ['lopeta', 'peruuta tilaus'], start: ['aloita', 'tilaa'] },
  fr: {
    stop: [
      'arrêt',
      'arrêter',
      'arrêtez',
      'désabonner',
      'me désabonner',
      'désinscrire',
      'me désinscrire',
      'désinscription',
    ],
    start: ['réabonner', 'me réabonner', "s'abonner", "m'abonner"],
  },
  he: { stop: ['הסר', 'הסרה', 'הסירו', 'הסר אותי', 'הסירו אותי', 'הפסק', 'עצור'], start: ['הצטרף', 'הצטרפות', 'התחל'] },
  hi: { stop: ['रोकें', 'रोको', 'बंद', 'बंद करें', 'बंद करो', 'स्टॉप'], start: ['शुरू', 'शुरू करें', 'स्टार्ट'] },
  hu: { stop: ['leiratkozás', 'leiratkozom'], start: ['feliratkozás', 'feliratkozom'] },
  id: { stop: ['berhenti', 'stop langganan', 'berhenti langganan'], start: ['mulai', 'mulai langganan'] },
  it: { stop: ['basta', 'cancellami', 'disiscrivimi', 'annulla iscrizione'], start: ['iscrivimi', 'riprendi'] },
  ja: { stop: ['停止', '配信停止', 'ストップ', '解除'], start: ['配信再開', '再開'] },
  ko: { stop: ['중지', '수신거부', '수신 거부', '그만', '스톱'], start: ['수신동의', '수신 동의', '시작'] },
  ms: { stop: ['henti', 'berhenti melanggan'], start: ['mula', 'langgan semula'] },
  nb: { stop: ['stopp', 'avmeld', 'meld av', 'meld meg av'], start: ['meld på', 'meld meg på'] },
  nl: { stop: ['stoppen', 'afmelden', 'uitschrijven', 'meld me af'], start: ['aanmelden', 'inschrijven'] },
  pl: { stop: ['rezygnuję', 'rezygnacja', 'wypisz', 'wypisz mnie'], start: ['zapisz mnie', 'wznów'] },
  pt: {
    stop: ['sair', 'parar', 'pare', 'descadastrar', 'cancelar inscrição', 'remover', 'me remova', 'não quero mais'],
    start: ['inscrever', 'quero receber', 'reativar'],
  },
  ro: { stop: ['dezabonare', 'dezabonează-mă', 'oprește'], start: ['abonare', 'abonează-mă'] },
  ru: {
    stop: ['стоп', 'отписаться', 'отписка', 'отпишите', 'отпишите меня', 'отпишись', 'не писать'],
    start: ['старт', 'подписаться', 'подписка', 'подпишите меня'],
  },
  sv: { stop: ['stopp', 'avsluta', 'avregistrera', 'avprenumerera'], start: ['prenumerera', 'starta'] },
  th: { stop: ['หยุด', 'ยกเลิกการสมัคร', 'ไม่รับข่าวสาร'], start: ['เริ่ม', 'รับข่าวสาร'] },
  tr: { stop: ['durdur', 'iptal', 'ret', 'çık', 'abonelikten çık'], start: ['başlat', 'abone ol'] },
  uk: {
    stop: ['стоп', 'відписатися', 'відписатись', 'відписка', 'відпишіть мене'],
    start: ['старт', 'підписатися', 'підписатись', 'підписка'],
  },
  vi: { stop: ['dừng', 'ngừng', 'hủy đăng ký', 'từ chối'], start: ['đăng ký', 'bắt đầu'] },
  zh: { stop: ['停止', '退订', '退訂', '取消订阅', '取消訂閱'], start: ['恢复订阅', '恢復訂閱', '订阅', '訂閱'] },
} as const satisfies Readonly<Record<string, { readonly stop: readonly string[]; readonly start: readonly string[] }>>;

export type OptOutLanguage = keyof typeof OPT_OUT_WORDS;
export const OPT_OUT_LANGUAGES = Object.keys(OPT_OUT_WORDS) as readonly OptOutLanguage[];

/** An instance's own choice of words. */
export interface OptOutConfig {
  /** Languages whose built-in words count. @default all; none: only the instance's own */
  readonly languages?: readonly OptOutLanguage[];
  /** Added to the built-in ones. */
  readonly stop?: readonly string[];
  readonly start?: readonly string[];
  /** Built-in words that this instance ignores. */
  readonly except?: readonly string[];
}
