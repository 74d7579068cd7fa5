/** What queue, journals and notifications share in showing polls, locations and contacts. */
import { present } from '../../contract/index.js';
import { contactBody, contactNames, locationBody, pollBody, type ComparableMessage } from './sameness.js';
import { fields, flag, list, numeral, word } from './witness-fields.js';

type Shown = Pick<ComparableMessage, 'body' | 'multipleAnswers' | 'names'>;

/** @param options  a list of `{ optionName }`, or of the names alone */
export function shownPoll(question: unknown, options: unknown, multipleAnswers: unknown): Shown | undefined {
  const names = list(options).map((option) => (typeof option === 'string' ? option : fields(option)['optionName']));
  if (typeof question !== 'string' || !names.every((name) => typeof name === 'string')) return undefined;
  const several = flag(multipleAnswers);
  return { body: pollBody(question, names), ...present({ multipleAnswers: several }) };
}

export function shownLocation(place: unknown): Shown | undefined {
  const it = fields(place);
  const [latitude, longitude] = [numeral(it['latitude']), numeral(it['longitude'])];
  if (latitude === undefined || longitude === undefined) return undefined;
  const words = { nameLocation: word(it['nameLocation']), address: word(it['address']) };
  return { body: locationBody({ latitude, longitude, ...words }) };
}

/** A contact in parts, as it was sent, or as the card that a phone gets. */
export function shownContact(contact: unknown): Shown | undefined {
  const it = fields(contact);
  const phone = word(it['phoneContact']);
  if (phone !== '') {
    const { firstName, middleName, lastName, company } = it;
    const names = { firstName: word(firstName), middleName: word(middleName), lastName: word(lastName) };
    return { body: contactBody(phone), names: contactNames({ ...names, company: word(company) }) };
  }
  const [only, ...more] = phonesOfCard(word(it['vcard']));
  return only === undefined || more.length > 0 ? undefined : { body: only };
}

/**
 * The different numbers on a vCard, as digits: of each, the messenger's own (`waid`), else the number as it is written.
 */
function phonesOfCard(card: string): string[] {
  // A line that begins with a blank goes on with the line before.
  const lines = card.replaceAll(/\r?\n[ \t]/g, '').split(/\r?\n/);
  const phones = lines.flatMap((line) => {
    const [, parameters = '', value = ''] = /^(?:[\w-]+\.)?TEL((?:;[^:]*)?):(.*)$/i.exec(line) ?? [];
    return contactBody(/;waid=(\d+)/i.exec(parameters)?.[1] ?? value);
  });
  return [...new Set(phones.filter((phone) => phone !== ''))];
}
