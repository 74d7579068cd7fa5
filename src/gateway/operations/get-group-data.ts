import { z } from 'zod';
import { isRecord, optionalFlag, optionalNumber, optionalText, withUnits } from '../response-fields.js';
import { groupId } from '../chat-id.js';
import { operation } from '../operation-contract.js';

const participant = z.looseObject({
  id: optionalText,
  lid: optionalText,
  isAdmin: optionalFlag,
  isSuperAdmin: optionalFlag,
});

/** "Error: forbidden" and its like come with a 200, as a bare string or inside an object. */
function refusal(raw: unknown): string | undefined {
  const words = isRecord(raw) && raw['groupId'] === undefined ? Object.values(raw) : [raw];
  return words.find((word): word is string => typeof word === 'string' && /^\s*error:/i.test(word))?.trim();
}

export const getGroupData = operation({
  description: 'Read the data of a group chat. The invitation link is empty unless the account administers the group.',
  perSecond: 1,
  request: z.strictObject({ groupId }),
  response: withUnits(
    { creation: 'creationSeconds', subjectTime: 'subjectTimeSeconds' },
    z.looseObject({
      groupId: z.string().min(1),
      owner: optionalText,
      subject: optionalText,
      creation: optionalNumber,
      creationSeconds: z.number().optional().describe('creation, Unix seconds'),
      subjectTime: optionalNumber,
      subjectTimeSeconds: z.number().optional().describe('subjectTime, Unix seconds'),
      subjectOwner: optionalText,
      groupInviteLink: optionalText,
      ephemeralExpiration: optionalNumber,
      allowParticipantsEditGroupSettings: optionalFlag,
      allowParticipantsSendMessages: optionalFlag,
      allowParticipantsAddMembers: optionalFlag,
      isCommunity: z.boolean().nullish().describe('Visible to community administrators only'),
      isCommunityAnnounce: z.boolean().nullish().describe('Visible to community administrators only'),
      size: optionalNumber,
      participants: z.array(participant).nullish(),
    }),
  ),
  refusalIn200: refusal,
});
