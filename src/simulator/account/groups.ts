import { isObject, type Json, type JsonObject, WireError } from '../wire/wire.js';

export interface Participant {
  readonly id: string;
  readonly lid?: string;
  readonly isAdmin: boolean;
  readonly isSuperAdmin: boolean;
}

/** A group with all its data, also that which the caller may not see. Times are Unix seconds. */
export interface Group {
  readonly groupId: string;
  readonly owner: string;
  readonly subject: string;
  readonly creation: number;
  readonly subjectTime: number;
  readonly subjectOwner: string;
  readonly groupInviteLink: string;
  readonly ephemeralExpiration: number;
  readonly allowParticipantsEditGroupSettings: boolean;
  readonly allowParticipantsSendMessages: boolean;
  readonly allowParticipantsAddMembers: boolean;
  readonly isCommunity: boolean;
  readonly isCommunityAnnounce: boolean;
  readonly participants: readonly Participant[];
}

/** Reads a group from a test's request; missing fields get defaults. */
export function readGroup(given: Record<string, unknown>, nowMs: number): Group {
  const { groupId } = given;
  if (typeof groupId !== 'string' || groupId === '') throw new WireError(400, "'groupId' is required");
  if (!Array.isArray(given['participants'])) throw new WireError(400, "'participants' must be an array of objects");
  const participants = given['participants'].map((participant: unknown): Participant => {
    if (!isObject(participant) || typeof participant['id'] !== 'string')
      throw new WireError(400, "'participants' must be an array of objects with an id");
    const { id, lid, isAdmin, isSuperAdmin } = participant;
    return {
      id,
      ...(typeof lid === 'string' ? { lid } : {}),
      isAdmin: isAdmin === true,
      isSuperAdmin: isSuperAdmin === true,
    };
  });
  const owner = participants.find(({ isSuperAdmin }) => isSuperAdmin)?.id ?? '';
  const nowSeconds = Math.floor(nowMs / 1000);
  return {
    owner,
    subject: '',
    creation: nowSeconds,
    subjectTime: nowSeconds,
    subjectOwner: owner,
    groupInviteLink: 'https://chat.example.com/invite',
    ephemeralExpiration: 0,
    allowParticipantsEditGroupSettings: true,
    allowParticipantsSendMessages: true,
    allowParticipantsAddMembers: true,
    isCommunity: false,
    isCommunityAnnounce: false,
    ...given,
    groupId,
    participants,
  };
}

/** The response of getGroupData. An error is a string in a 200. */
export function groupData(
  { groups, wid }: { readonly groups: ReadonlyMap<string, Group>; readonly wid: string },
  groupId: string,
): Json {
  const group = groups.get(groupId);
  if (group === undefined) return 'Error: item-not-found';
  const self = group.participants.find(({ id }) => id === wid);
  if (self === undefined) return 'Error: forbidden';
  const isAdmin = group.owner === wid || self.isAdmin || self.isSuperAdmin;
  const { isCommunity, isCommunityAnnounce, participants, ...rest } = group;
  return {
    ...rest,
    groupInviteLink: isAdmin ? group.groupInviteLink : '',
    ...(isAdmin ? { isCommunity, isCommunityAnnounce } : {}),
    size: participants.length,
    participants: participants.map((one): JsonObject => ({ ...one })),
  };
}
