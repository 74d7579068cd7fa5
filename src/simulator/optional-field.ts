/** One property to spread into an object; absent, not undefined, without a value. */
export function optionalField<K extends string, V>(name: K, value: V | undefined): Partial<Record<K, V>> {
  const field: Partial<Record<K, V>> = {};
  if (value !== undefined) field[name] = value;
  return field;
}
