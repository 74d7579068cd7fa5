import type { GroupChanges, GroupData } from '../contract/index.js';
import { readChatId } from './recipients.js';

/** The gateway's data of a group, sorted, without fields that grant access. */
export function groupDataOf(response: Readonly<Record<string, unknown>>): GroupData {
  const { groupId: _, groupInviteLink: _link, participants, ...rest } = response;
  // The gateway client adds a field in seconds for each parsed time.
  const given = Object.entries(rest).filter(([name]) => !name.endsWith('Seconds'));
  const fields = given.flatMap(([name, value]) =>
    typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
      ? [[name, value] as const]
      : [],
  );
  const members = (Array.isArray(participants) ? participants : []).flatMap((one: unknown) => {
    const { id, isAdmin, isSuperAdmin } = (one ?? {}) as Readonly<Record<string, unknown>>;
    return typeof id === 'string' ? [{ id, isAdmin: isAdmin === true || isSuperAdmin === true }] : [];
  });
  return {
    fields: Object.fromEntries(fields.toSorted(([a], [b]) => (a < b ? -1 : 1))),
    participants: members.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
  };
}

/** The participants whose number and lid the gateway shows together. */
export function lidsOfGroup({ participants }: Readonly<Record<string, unknown>>): { lid: string; chatId: string }[] {
  return (Array.isArray(participants) ? participants : []).flatMap((one: unknown) => {
    const { id, lid } = (one ?? {}) as Readonly<Record<string, unknown>>;
    const [chatId, alternate] = [id, lid].map((shown) => (typeof shown === 'string' ? readChatId(shown) : undefined));
    const isPair = chatId?.endsWith('@c.us') === true && alternate?.endsWith('@lid') === true;
    return isPair ? [{ lid: alternate, chatId }] : [];
  });
}

/** The differences between two readings of a group. */
export function groupChanges(before: GroupData, after: GroupData): GroupChanges {
  const [was, is] = [byId(before), byId(after)];
  const both = after.participants.filter(({ id }) => was.has(id));
  const names = [...new Set([...Object.keys(before.fields), ...Object.keys(after.fields)])];
  return {
    joined: after.participants.filter(({ id }) => !was.has(id)).map(({ id }) => id),
    left: before.participants.filter(({ id }) => !is.has(id)).map(({ id }) => id),
    becameAdmin: both.filter(({ id, isAdmin }) => isAdmin && was.get(id) === false).map(({ id }) => id),
    noLongerAdmin: both.filter(({ id, isAdmin }) => !isAdmin && was.get(id) === true).map(({ id }) => id),
    fields: names
      .filter((name) => before.fields[name] !== after.fields[name])
      .map((name) => ({ name, before: before.fields[name], after: after.fields[name] })),
  };
}

function byId({ participants }: GroupData): ReadonlyMap<string, boolean> {
  return new Map(participants.map(({ id, isAdmin }) => [id, isAdmin]));
}
