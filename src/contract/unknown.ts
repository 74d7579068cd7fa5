/** The errors of ids that name nothing: all who read by an id say the same. */
import { AppError } from './errors.js';
import type { TemplateKey } from './schemas/shapes.js';

export function campaignUnknown(id: string): AppError {
  return new AppError(
    'CAMPAIGN_NOT_FOUND',
    `There is no campaign ${id}. List campaigns: everpost campaign list. Create one from a file: everpost campaign import FILE`,
  );
}

export function editUnknown(id: string): AppError {
  return new AppError('EDIT_NOT_FOUND', `There is no edit ${id}. Check the id: the response to the edit contains it.`);
}

export function messageUnknown(id: string): AppError {
  return new AppError(
    'MESSAGE_NOT_FOUND',
    `There is no message ${id}. Check the id: the response to a send contains it. List messages: everpost message list`,
  );
}

/** @param named  its id, after its method if that is part of its address */
export function operationUnknown(named: string): AppError {
  return new AppError(
    'OPERATION_NOT_FOUND',
    `There is no operation ${named}. Check the id: the response to its POST contains it.`,
  );
}

export function templateUnknown({ instance, elementName }: TemplateKey): AppError {
  return new AppError(
    'TEMPLATE_NOT_FOUND',
    `Instance ${instance} has no template ${elementName} that was submitted through everpost. List templates: everpost template list. Submit one: everpost template submit FILE`,
  );
}
