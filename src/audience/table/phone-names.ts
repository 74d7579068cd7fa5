import { foldedName } from '../../domain/index.js';

/**
 * Names of columns with numbers, in the order of their priority: a campaign reaches accounts, which mobile numbers have
 * more often than others. Spellings are compared by {@link foldedName}; a number at the end and Google's `- Value` are
 * ignored.
 */
export const PHONE_NAMES = {
  account: namesIn(`
    WhatsApp, WhatsApp number, WhatsApp no, WhatsApp phone, WhatsApp phone number, WhatsApp mobile, WA, WA number,
    WA no, WhatsApp-Nummer, número de WhatsApp, teléfono WhatsApp, celular WhatsApp, numéro WhatsApp, numero
    WhatsApp, nomor WhatsApp, nomor WA, no WA, chatId, chat id`),
  mobile: namesIn(`
    mobile, mobile number, mobile no, mobile phone, mobile phone number, mob, cell, cell phone, cell number, cell
    phone number, cellular, SMS phone number, SMS number, Handy, Handynummer, Handynr, mobil, Mobilnummer, Mobilnr,
    Mobiltelefon, Mobilfunk, Mobilfunknummer, celular, número celular, número de celular, teléfono celular, teléfono
    móvil, móvil, número de móvil, telefone celular, telemóvel, número de telemóvel, nº celular, portable, numéro de
    portable, téléphone portable, téléphone mobile, numéro mobile, tél portable, cellulare, numero di cellulare,
    numero cellulare, telefono cellulare, cell., mobiel, gsm, gsm nummer, mobiele nummer, mobiel nummer, mobiele
    telefoon, komórka, telefon komórkowy, numer komórkowy, мобильный, мобильный телефон, мобильный номер, сотовый,
    сотовый телефон, мобільний, мобільний телефон, cep, cep telefonu, cep no, cep tel, mobilnummer, mobilní telefon,
    mobiltelefonszám, matkapuhelin, mobilenummer, κινητό, جوال, الجوال, رقم الجوال, موبايل, رقم الموبايل, محمول,
    נייד, טלפון נייד, मोबाइल, मोबाइल नंबर, मोबाइल नम्बर, nomor HP, no HP, HP, ponsel, nombor telefon bimbit, di
    động, số di động, มือถือ, เบอร์มือถือ, 手机, 手机号, 手机号码, 手機, 手機號碼, 携帯, 携帯電話, 携帯番号, 携帯電話番号, 휴대폰, 휴대폰번호, 휴대전화, 핸드폰,
    핸드폰번호`),
  phone: namesIn(`
    phone, phone number, phone no, phone nr, phone num, primary phone, primary phone number, telephone, telephone
    number, tel, tel no, tel number, contact number, contact no, contact phone, customer phone, phone e164, msisdn,
    Telefon, Telefonnummer, Telefonnr, Tel.-Nr., Rufnummer, teléfono, número de teléfono, teléfono de contacto, nº
    de teléfono, telefone, número de telefone, fone, telefone de contato, téléphone, numéro de téléphone, n° de
    téléphone, tél, no de téléphone, telefono, numero di telefono, numero telefono, recapito telefonico, telefoon,
    telefoonnummer, tel nummer, numer telefonu, nr telefonu, nr tel, телефон, номер телефона, номер телефону, тел,
    telefon numarası, telefon no, telefonnummer, telefonní číslo, telefonszám, puhelin, puhelinnumero, tlf, număr de
    telefon, numar telefon, τηλέφωνο, αριθμός τηλεφώνου, هاتف, الهاتف, رقم الهاتف, تلفون, تليفون, تلفن, شماره تلفن,
    טלפון, מספר טלפון, फ़ोन, फोन, फ़ोन नंबर, फोन नंबर, दूरभाष, nomor telepon, telepon, no telepon, no telp, no tel,
    nombor telefon, điện thoại, số điện thoại, sđt, โทรศัพท์, เบอร์โทร, เบอร์โทรศัพท์, 电话, 电话号码, 联系电话, 電話, 電話號碼,
    電話番号, 전화, 전화번호, 연락처`),
  place: namesIn(`
    home phone, work phone, business phone, office phone, company phone, company main phone, other phone, car phone,
    radio phone, assistant's phone, landline, work number, home number, private phone, default address phone,
    address phone, billing phone, shipping phone, shipping address phone, billing address phone, Telefon privat,
    Telefon geschäftlich, Telefon (privat), Telefon (geschäftlich), Festnetz, Festnetznummer, teléfono fijo,
    teléfono particular, teléfono de casa, teléfono del trabajo, fijo, telefone fixo, telefone residencial, telefone
    comercial, téléphone fixe, fixe, téléphone domicile, téléphone bureau, telefono fisso, telefono casa, telefono
    ufficio, vaste telefoon, telefoon thuis, telefoon werk, домашний телефон, рабочий телефон, 固定电话, 固定電話`),
};

/** The names of a list with commas between them. */
function namesIn(list: string): readonly string[] {
  return list.split(',').map((name) => name.replaceAll(/\s+/g, ' ').trim());
}

const RANKS = new Map(
  Object.values(PHONE_NAMES).flatMap((names, rank) => names.map((name) => [foldedName(name), rank] as const)),
);

/** Names of columns that have numbers to which nothing can be sent. */
const OTHER_NAMES: ReadonlySet<string> = new Set(
  ['fax', 'fax number', 'fax no', 'telefax', 'Faxnummer', 'home fax', 'business fax', 'other fax', 'pager'].map(
    foldedName,
  ),
);

/** The priority of a column by its name, 0 first; undefined if the name is not known. */
export function phoneRank(name: string): number | undefined {
  const folded = foldedName(name);
  return RANKS.get(folded) ?? RANKS.get(folded.replace(/[12]?\d(?:value)?$/, ''));
}

export function isOtherNumber(name: string): boolean {
  return OTHER_NAMES.has(foldedName(name).replace(/\d(?:value)?$/, ''));
}
