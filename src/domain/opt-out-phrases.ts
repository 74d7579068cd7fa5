/**
 * What recipients write when they want no more messages and do not write one of the words that count at once
 * ({@link OPT_OUT_WORDS}). A match is only shown to an operator, so it may be wrong now and then, but not often: a
 * question such as "when does the shop close" contains none of these.
 *
 * Sources, by language:
 *
 * - en: 47 CFR 64.1200(a)(10), in force since April 2025: stop, quit, end, revoke, opt out, cancel and unsubscribe count,
 *   and so does any other reply that a reasonable reader takes for a revocation. The CTIA's Messaging Principles (5.1.3)
 *   ask for requests in normal language, such as "please opt me out", and for no effect of capitals and punctuation.
 *   "remove" and "td" are in AWS's list of required keywords; TD is the Chinese carriers' 退订. "stop promotions" and
 *   "not interested" are the labels of WhatsApp's own marketing controls.
 * - de, fr, it, nl, es, pt, pl, el, cs, hu, ro, sv, da, fi: GDPR, articles 7(3) and 21(3): no form is required, and
 *   withdrawing must be as easy as consenting. "widerspreche" is the verb of article 21 in German, "cofam zgodę" that of
 *   article 7 in Polish, "revoco il consenso" in Italian. "stop sms" and "stop pub" are from French carriers' practice.
 * - pt also: LGPD, article 18 (revocation). es also: LSSI, article 22, whose word is "baja".
 * - he: Communications Law, section 30A: a refusal notice; the word in use is הסר. tr: Law 6563 and its register İYS,
 *   whose word is RET. ko: Network Act, article 50, whose word is 수신거부. ja: the Act on Specified Electronic Mail,
 *   article 3; the word in use is 配信停止. zh: MIIT's rules for short messages, 退订.
 * - All other phrases are the ordinary words of the language for the same request; no list prescribes them.
 */
import type { OptOutLanguage } from '../contract/index.js';

interface OptOutPhrases {
  /** Words of everyday use that mean opting out in nearly every sentence. */
  readonly inside?: readonly string[];
  /** Several words in this order, anywhere in a message. */
  readonly phrases: readonly string[];
  /** Words of politeness and emphasis, which change nothing around a STOP word. */
  readonly around?: readonly string[];
  /** Whole messages: common typing errors that no rule finds, and abbreviations. */
  readonly whole?: readonly string[];
}

/** Each line has several, separated by commas. */
function list(...lines: readonly string[]): string[] {
  return lines.flatMap((line) => line.split(', '));
}

/** Languages that are written without blanks between words: a phrase may be part of a longer run of letters. */
export const UNSPACED: ReadonlySet<OptOutLanguage> = new Set(['ja', 'ko', 'th', 'zh']);

export const OPT_OUT_PHRASES: Readonly<Record<OptOutLanguage, OptOutPhrases>> = {
  ar: {
    inside: ['إلغاء الاشتراك', 'الغاء الاشتراك'],
    phrases: list(
      'لا ترسل, لا ترسلوا, لا تراسلني, لا تراسلوني, أوقفوا الرسائل, إيقاف الرسائل, احذف رقمي',
      'احذفوا رقمي, لا أريد رسائل, لا أريد الرسائل, ألغي اشتراكي',
    ),
    around: ['من', 'فضلك', 'فضلكم', 'لو', 'سمحت', 'سمحتم', 'شكرا', 'رجاء', 'مرحبا'],
  },
  cs: {
    inside: ['odhlásit', 'odhlaste'],
    phrases: ['neposílejte', 'nechci dostávat', 'nechci další', 'nepište mi', 'vymažte moje číslo', 'zrušte odběr'],
    around: ['prosím', 'děkuji', 'díky', 'dobrý', 'den', 'ahoj'],
  },
  da: {
    inside: ['afmeld', 'afmelde'],
    phrases: ['ikke flere beskeder', 'slet mit nummer', 'skriv ikke', 'send ikke', 'vil ikke have flere'],
    around: ['tak', 'venligst', 'hej'],
  },
  de: {
    inside: ['stopp', 'abmelden', 'abmeldung', 'abbestellen', 'austragen', 'widerspreche'],
    phrases: [
      'keine werbung',
      'keine nachrichten mehr',
      'keine weiteren nachrichten',
      'nicht mehr schreiben',
      'nicht mehr anschreiben',
      'nicht mehr kontaktieren',
      'schreiben sie mir nicht',
      'schreib mir nicht',
      'schreibt mir nicht',
      'kontaktieren sie mich nicht',
      'melden sie mich ab',
      'meldet mich ab',
      'tragen sie mich aus',
      'aus dem verteiler',
      'aus der liste',
      'nummer löschen',
      'löschen sie meine',
      'lasst mich in ruhe',
      'lassen sie mich in ruhe',
      'möchte nichts mehr',
    ],
    around: ['bitte', 'danke', 'hallo', 'jetzt', 'sofort', 'mich', 'ich', 'will', 'möchte', 'vielen', 'dank', 'hi'],
  },
  el: {
    inside: ['διαγραφή'],
    phrases: ['μη μου στέλνετε', 'μην στέλνετε', 'διαγράψτε με', 'διαγράψτε τον αριθμό', 'δεν θέλω μηνύματα'],
    around: ['παρακαλώ', 'ευχαριστώ', 'γεια'],
  },
  en: {
    inside: ['stop', 'stopall', 'unsubscribe', 'unsubscribed', 'optout', 'opt out', 'opting out'],
    phrases: [
      'opt me out',
      'take me off',
      'remove me',
      'remove my number',
      'delete my number',
      'lose my number',
      'do not contact',
      "don't contact",
      'dont contact',
      'do not text',
      "don't text",
      'dont text',
      'do not message',
      "don't message",
      'dont message',
      'do not send',
      "don't send",
      'dont send',
      'no more messages',
      'no more texts',
      'no longer wish to receive',
      "don't want to receive",
      'do not want to receive',
      'leave me alone',
      'quit texting',
      'quit messaging',
      'revoke my consent',
      'withdraw my consent',
      'not interested',
    ],
    around: list(
      'please, pls, plz, thanks, thank, you, thx, ty, hi, hello, hey, ok, okay, sorry',
      'now, sir, madam, kindly, me, it, this, just, all, promotions',
    ),
    whole: ['sotp', 'stpo', 'tsop', 'stp', 'remove', 'td'],
  },
  es: {
    phrases: [
      'dame de baja',
      'deme de baja',
      'denme de baja',
      'darme de baja',
      'dar de baja',
      'quiero la baja',
      'quiero baja',
      'no quiero más',
      'no quiero recibir',
      'no me escriban',
      'no me escriba',
      'no me manden',
      'no me mandes',
      'no me envíen',
      'no me envíes',
      'no más mensajes',
      'dejen de',
      'deja de escribir',
      'deja de enviar',
      'borrame de',
      'bórrenme',
      'elimíname de',
      'elimínenme',
      'quítame de',
      'quítenme',
      'cancelar suscripción',
      'no molestar',
      'no molesten',
      'no me interesa',
    ],
    around: ['por', 'favor', 'porfavor', 'porfa', 'gracias', 'hola', 'ya', 'quiero', 'la', 'de'],
  },
  fa: {
    inside: ['لغو اشتراک'],
    phrases: ['پیام ندهید', 'پیام نفرستید', 'پیامک نفرستید', 'حذف شماره', 'شماره من را حذف'],
    around: ['لطفا', 'ممنون', 'سلام', 'مرسی'],
  },
  fi: {
    phrases: ['älä lähetä', 'älkää lähettäkö', 'en halua viestejä', 'poistakaa numeroni', 'poista numeroni'],
    around: ['kiitos', 'ole', 'hyvä', 'hei'],
  },
  fr: {
    inside: ['désabonner', 'désabonnement', 'désinscrire', 'désinscription'],
    phrases: [
      'désabonnez moi',
      'désinscrivez moi',
      'ne plus recevoir',
      'plus de messages',
      'plus de pub',
      "arrêtez de m'envoyer",
      "arrêtez de m'écrire",
      "arrêtez d'envoyer",
      'retirez moi',
      'retirez mon numéro',
      'supprimez mon numéro',
      'supprimez moi',
      'ne me contactez plus',
      "ne m'écrivez plus",
      "ne m'envoyez plus",
      'stop sms',
      'stop pub',
      'pas intéressé',
      'pas intéressée',
    ],
    around: ['svp', 'stp', "s'il", 's', 'il', 'vous', 'te', 'plaît', 'merci', 'bonjour', 'je', 'veux', 'me'],
  },
  he: {
    phrases: list(
      'להסיר אותי, תסירו אותי, תסיר אותי, הסירו אותי, נא להסיר, אל תשלחו, אל תשלח, תפסיקו לשלוח',
      'תפסיק לשלוח, לא מעוניין, לא מעוניינת, תמחקו את המספר',
    ),
    around: ['בבקשה', 'תודה', 'נא', 'שלום', 'היי'],
  },
  hi: {
    inside: ['अनसब्सक्राइब'],
    phrases: list(
      'मैसेज मत भेजो, मैसेज मत भेजें, संदेश न भेजें, संदेश मत भेजें, मैसेज बंद करो, मैसेज बंद करें',
      // As it is typed with Latin letters.
      'mat bhejo, message band karo, msg band karo, band karo',
    ),
    around: ['कृपया', 'धन्यवाद', 'प्लीज', 'नमस्ते'],
  },
  hu: {
    inside: ['leiratkozás', 'leiratkozom', 'leiratkozni'],
    phrases: ['le akarok iratkozni', 'ne küldjenek', 'ne küldjön', 'ne írjanak', 'töröljék a számom', 'nem kérek több'],
    around: ['kérem', 'köszönöm', 'szia'],
  },
  id: {
    inside: ['berhenti langganan', 'berhenti berlangganan'],
    phrases: list(
      'jangan kirim, jangan wa, jangan hubungi, jangan ganggu, berhenti kirim, berhenti mengirim',
      'hapus nomor, tidak mau menerima, tidak tertarik',
    ),
    around: ['tolong', 'mohon', 'terima', 'kasih', 'halo', 'ya', 'dong'],
  },
  it: {
    inside: ['cancellatemi', 'cancellarmi', 'disiscrivermi', 'disiscrivetemi', 'disiscrizione'],
    phrases: list(
      'non voglio più, non scrivetemi, non scrivermi, non contattatemi, non contattarmi, toglietemi',
      'rimuovetemi, revoco il consenso, basta messaggi, basta pubblicità, non mi interessa',
    ),
    around: ['per', 'favore', 'grazie', 'ciao', 'buongiorno'],
  },
  ja: {
    phrases: ['配信停止', '配信を停止', '配信を止', '送らないで', '送信しないで', '退会', '解除して', '登録解除'],
    around: ['お願いします', 'お願い', 'ください'],
  },
  ko: {
    phrases: ['수신거부', '수신 거부', '보내지 마', '보내지마', '그만 보내', '문자 그만', '광고 그만', '차단해'],
    around: ['제발', '감사합니다', '부탁드립니다'],
  },
  ms: {
    phrases: ['jangan hantar', 'berhenti hantar', 'padam nombor', 'jangan ganggu', 'tak nak terima'],
    around: ['tolong', 'terima', 'kasih'],
  },
  nb: {
    phrases: ['meld meg av', 'ikke flere meldinger', 'slett nummeret', 'slett mitt nummer', 'ikke send', 'ikke skriv'],
    around: ['takk', 'vennligst', 'hei'],
  },
  nl: {
    inside: ['afmelden', 'uitschrijven'],
    phrases: list(
      'meld mij af, schrijf me uit, schrijf mij uit, geen berichten meer, geen reclame, niet meer appen',
      'stuur geen, haal mij van, verwijder mijn nummer, geen interesse',
    ),
    around: ['alsjeblieft', 'alstublieft', 'aub', 'graag', 'bedankt', 'dank', 'hallo', 'hoi', 'mij', 'ik', 'wil', 'me'],
  },
  pl: {
    inside: ['wypisać', 'wypiszcie'],
    phrases: list(
      'wypisz mnie, nie chcę więcej, nie chcę otrzymywać, proszę nie pisać, nie pisać, nie wysyłajcie',
      'usuńcie mój numer, usuńcie mnie, usuń mój numer, cofam zgodę, nie jestem zainteresowany',
    ),
    around: ['proszę', 'dziękuję', 'cześć', 'dzień', 'dobry'],
  },
  pt: {
    inside: ['descadastrar', 'descadastro', 'descadastre'],
    phrases: [
      'quero sair',
      'sair da lista',
      'parar de receber',
      'não quero receber',
      'não quero mais',
      'não envie mais',
      'não enviem',
      'não me mande',
      'não mandem',
      'não mande mais',
      'pare de',
      'parem de',
      'me tira da',
      'me tire da',
      'me tira dessa',
      'me tire dessa',
      'me remova',
      'me remove',
      'remover meu número',
      'retire meu número',
      'cancelar inscrição',
      'não tenho interesse',
    ],
    around: ['por', 'favor', 'obrigado', 'obrigada', 'olá', 'oi', 'pf', 'pfv', 'quero', 'eu', 'gentileza'],
  },
  ro: {
    inside: ['dezabonare', 'dezabonez'],
    phrases: ['nu mai trimiteți', 'nu mai vreau', 'dezabonați mă', 'ștergeți numărul', 'nu mă mai contactați'],
    around: ['vă', 'rog', 'mulțumesc', 'bună'],
  },
  ru: {
    inside: ['отписаться', 'отпишите', 'отписка', 'отпишись'],
    phrases: list(
      'не пишите, не пиши мне, не присылайте, не отправляйте, хватит писать, хватит спамить',
      'удалите мой номер, удалите меня, уберите меня, не хочу получать, прекратите, не беспокойте',
    ),
    around: ['пожалуйста', 'спасибо', 'привет', 'здравствуйте', 'меня'],
  },
  sv: {
    inside: ['avregistrera', 'avprenumerera'],
    phrases: ['ta bort mig', 'ta bort mitt nummer', 'sluta skicka', 'inga fler', 'skicka inte', 'skriv inte'],
    around: ['tack', 'snälla', 'hej', 'mig'],
  },
  th: {
    phrases: ['ไม่ต้องส่ง', 'หยุดส่ง', 'เลิกส่ง', 'ยกเลิกการรับ', 'ไม่อยากรับ', 'ไม่ต้องการรับ', 'ยกเลิกการสมัคร'],
    around: ['ครับ', 'ค่ะ', 'ขอบคุณ'],
  },
  tr: {
    phrases: list(
      'mesaj atmayın, mesaj atma, mesaj göndermeyin, mesaj istemiyorum, bana yazmayın, listeden çıkarın',
      'listeden çıkar, abonelikten çıkmak, iptal etmek istiyorum, rahatsız etmeyin, numaramı silin',
    ),
    around: ['lütfen', 'teşekkürler', 'teşekkür', 'ederim', 'merhaba'],
  },
  uk: {
    inside: ['відписатися', 'відписатись', 'відпишіть', 'відписка'],
    phrases: ['не пишіть', 'не надсилайте', 'видаліть мій номер', 'видаліть мене', 'не хочу отримувати', 'припиніть'],
    around: ['будь', 'ласка', 'дякую', 'привіт'],
  },
  vi: {
    phrases: ['đừng gửi', 'ngừng gửi', 'dừng gửi', 'không nhận tin', 'không muốn nhận', 'hủy đăng ký', 'xóa số'],
    around: ['vui', 'lòng', 'làm', 'ơn', 'cảm', 'xin'],
  },
  zh: {
    phrases: [
      '退订',
      '退訂',
      '取消订阅',
      '取消訂閱',
      '不要再发',
      '不要再發',
      '别再发',
      '別再發',
      '停止发送',
      '停止發送',
    ],
    around: ['谢谢', '謝謝', '请', '請'],
  },
};
