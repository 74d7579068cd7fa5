const OF_A_NUMBER = '@c.us';

/**
 * Countries that put a digit before their mobile numbers, or took it away, while accounts kept the id that they were
 * opened with: the network may know a number with the digit that is written without it, and the other way round. What
 * stands before the digit, and what behind it.
 */
const OPTIONAL_DIGIT = [
  // Mexico, until 2019.
  { digit: '1', with: /^(52)1([2-9]\d{9})$/, without: /^(52)([2-9]\d{9})$/ },
  // Argentina, when dialled from abroad.
  { digit: '9', with: /^(54)9([1-8]\d{9})$/, without: /^(54)([1-8]\d{9})$/ },
  // Brazil, since 2012, behind the area. What goes on with 2 to 5 need not be the mobile number with the digit left
  // out.
  { digit: '9', with: /^(55[1-9]\d)9([6-9]\d{7})$/, without: /^(55[1-9]\d)([6-9]\d{7})$/ },
] as const;

/** Every chat id under which the network may know the same recipient, the given one first. */
export function chatForms(chatId: string): string[] {
  if (!chatId.endsWith(OF_A_NUMBER)) return [chatId];
  const number = chatId.slice(0, -OF_A_NUMBER.length);
  const others = OPTIONAL_DIGIT.flatMap((country) => {
    if (country.with.test(number)) return [number.replace(country.with, '$1$2')];
    const [, before, behind] = country.without.exec(number) ?? [];
    return before === undefined ? [] : [`${before}${country.digit}${behind}`];
  });
  return [chatId, ...others.map((other) => `${other}${OF_A_NUMBER}`)];
}
