/** Generated from the routes of src/api by `npm run generate`. */
export const ROUTES = {
  sendMessage: {
    method: 'POST',
    path: '/v1/messages',
    takesKey: true,
  },
  listMessages: {
    method: 'GET',
    path: '/v1/messages',
  },
  getMessage: {
    method: 'GET',
    path: '/v1/messages/{id}',
  },
  cancelMessage: {
    method: 'POST',
    path: '/v1/messages/{id}/cancel',
  },
  resolveMessage: {
    method: 'POST',
    path: '/v1/messages/{id}/resolve',
    takesLong: true,
  },
  editMessage: {
    method: 'POST',
    path: '/v1/messages/{id}/edits',
    takesKey: true,
  },
  getEdit: {
    method: 'GET',
    path: '/v1/messages/{id}/edits/{editId}',
  },
  storeFile: {
    method: 'POST',
    path: '/v1/files',
    takesLong: true,
  },
  beginCampaign: {
    method: 'POST',
    path: '/v1/campaigns',
    takesKey: true,
  },
  listCampaigns: {
    method: 'GET',
    path: '/v1/campaigns',
  },
  defineCampaign: {
    method: 'PUT',
    path: '/v1/campaigns/{id}',
  },
  removePlan: {
    method: 'DELETE',
    path: '/v1/campaigns/{id}',
    takesLong: true,
  },
  getCampaign: {
    method: 'GET',
    path: '/v1/campaigns/{id}',
  },
  planCampaign: {
    method: 'GET',
    path: '/v1/campaigns/{id}/plan',
    takesLong: true,
  },
  testCampaign: {
    method: 'POST',
    path: '/v1/campaigns/{id}/test',
    takesKey: true,
  },
  startCampaign: {
    method: 'POST',
    path: '/v1/campaigns/{id}/start',
    takesLong: true,
  },
  pauseCampaign: {
    method: 'POST',
    path: '/v1/campaigns/{id}/pause',
    takesKey: true,
  },
  resumeCampaign: {
    method: 'POST',
    path: '/v1/campaigns/{id}/resume',
    takesKey: true,
  },
  cancelCampaign: {
    method: 'POST',
    path: '/v1/campaigns/{id}/cancel',
    takesKey: true,
  },
  updateCampaign: {
    method: 'PATCH',
    path: '/v1/campaigns/{id}',
    takesKey: true,
  },
  retryCampaign: {
    method: 'POST',
    path: '/v1/campaigns/{id}/retry',
    takesKey: true,
  },
  amendCampaign: {
    method: 'POST',
    path: '/v1/campaigns/{id}/amend',
    takesKey: true,
  },
  planAmendment: {
    method: 'POST',
    path: '/v1/campaigns/{id}/amendment-plan',
    takesLong: true,
  },
  listAmendments: {
    method: 'GET',
    path: '/v1/campaigns/{id}/amendments',
  },
  importRecipients: {
    method: 'PUT',
    path: '/v1/campaigns/{id}/recipients',
    takesLong: true,
  },
  getRejectedRecipients: {
    method: 'GET',
    path: '/v1/campaigns/{id}/rejected-recipients.csv',
    takesLong: true,
    isStreamed: true,
  },
  listRecipients: {
    method: 'GET',
    path: '/v1/campaigns/{id}/recipients',
  },
  getReportCsv: {
    method: 'GET',
    path: '/v1/campaigns/{id}/report.csv',
    takesLong: true,
    isStreamed: true,
  },
  getReportNdjson: {
    method: 'GET',
    path: '/v1/campaigns/{id}/report.ndjson',
    takesLong: true,
    isStreamed: true,
  },
  getReportJson: {
    method: 'GET',
    path: '/v1/campaigns/{id}/report.json',
    takesLong: true,
    isStreamed: true,
  },
  getReportHtml: {
    method: 'GET',
    path: '/v1/campaigns/{id}/report.html',
    takesLong: true,
    isStreamed: true,
  },
  eraseRecipient: {
    method: 'POST',
    path: '/v1/recipients/erasures',
  },
  getErasure: {
    method: 'GET',
    path: '/v1/recipients/erasures/{id}',
  },
  validateTemplate: {
    method: 'POST',
    path: '/v1/templates/validate',
  },
  submitTemplate: {
    method: 'POST',
    path: '/v1/templates',
  },
  listTemplates: {
    method: 'GET',
    path: '/v1/templates',
  },
  getTemplate: {
    method: 'GET',
    path: '/v1/templates/{instance}/{elementName}',
  },
  setTemplateReview: {
    method: 'POST',
    path: '/v1/templates/{instance}/{elementName}/review',
  },
  addSuppression: {
    method: 'POST',
    path: '/v1/suppressions',
  },
  listSuppressions: {
    method: 'GET',
    path: '/v1/suppressions',
  },
  removeSuppression: {
    method: 'POST',
    path: '/v1/suppressions/remove',
  },
  importSuppressions: {
    method: 'POST',
    path: '/v1/suppressions/import',
    takesLong: true,
  },
  listPossibleOptOuts: {
    method: 'GET',
    path: '/v1/suppressions/possible',
  },
  acceptPossibleOptOut: {
    method: 'POST',
    path: '/v1/suppressions/possible/{id}/accept',
  },
  dismissPossibleOptOut: {
    method: 'POST',
    path: '/v1/suppressions/possible/{id}/dismiss',
  },
  listChats: {
    method: 'GET',
    path: '/v1/chats',
  },
  markChatRead: {
    method: 'POST',
    path: '/v1/chats/read',
  },
  listTimeline: {
    method: 'GET',
    path: '/v1/contacts/{to}/timeline',
  },
  listNotifications: {
    method: 'GET',
    path: '/v1/notifications',
  },
  beginReplay: {
    method: 'POST',
    path: '/v1/notifications/replays',
    takesKey: true,
  },
  getReplay: {
    method: 'GET',
    path: '/v1/notifications/replays/{id}',
  },
  receiveNotification: {
    method: 'POST',
    path: '/webhooks/{instance}',
  },
  createEventEndpoint: {
    method: 'POST',
    path: '/v1/event-endpoints',
    takesKey: true,
  },
  listEventEndpoints: {
    method: 'GET',
    path: '/v1/event-endpoints',
  },
  getEventEndpoint: {
    method: 'GET',
    path: '/v1/event-endpoints/{id}',
  },
  listEndpointDeliveries: {
    method: 'GET',
    path: '/v1/event-endpoints/{id}/deliveries',
  },
  changeEventEndpoint: {
    method: 'PATCH',
    path: '/v1/event-endpoints/{id}',
  },
  deleteEventEndpoint: {
    method: 'DELETE',
    path: '/v1/event-endpoints/{id}',
  },
  rotateEventSecret: {
    method: 'POST',
    path: '/v1/event-endpoints/{id}/rotate-secret',
  },
  testEventEndpoint: {
    method: 'POST',
    path: '/v1/event-endpoints/{id}/test',
  },
  replayEvents: {
    method: 'POST',
    path: '/v1/event-endpoints/{id}/replays',
    takesKey: true,
  },
  listEvents: {
    method: 'GET',
    path: '/v1/events',
  },
  getEvent: {
    method: 'GET',
    path: '/v1/events/{id}',
  },
  beginOperation: {
    method: 'POST',
    path: '/v1/operations/{method}',
    takesKey: true,
  },
  getOperation: {
    method: 'GET',
    path: '/v1/operations/{method}/{id}',
  },
  createSchedule: {
    method: 'POST',
    path: '/v1/schedules',
    takesKey: true,
  },
  listSchedules: {
    method: 'GET',
    path: '/v1/schedules',
  },
  getSchedule: {
    method: 'GET',
    path: '/v1/schedules/{id}',
  },
  updateSchedule: {
    method: 'PATCH',
    path: '/v1/schedules/{id}',
  },
  pauseSchedule: {
    method: 'POST',
    path: '/v1/schedules/{id}/pause',
    takesKey: true,
  },
  resumeSchedule: {
    method: 'POST',
    path: '/v1/schedules/{id}/resume',
    takesKey: true,
  },
  triggerSchedule: {
    method: 'POST',
    path: '/v1/schedules/{id}/trigger',
    takesKey: true,
  },
  backfillSchedule: {
    method: 'POST',
    path: '/v1/schedules/{id}/backfill',
    takesKey: true,
  },
  deleteSchedule: {
    method: 'DELETE',
    path: '/v1/schedules/{id}',
  },
  listInstances: {
    method: 'GET',
    path: '/v1/instances',
  },
  getInstance: {
    method: 'GET',
    path: '/v1/instances/{name}',
  },
  pauseInstance: {
    method: 'POST',
    path: '/v1/instances/{name}/pause',
    takesKey: true,
  },
  resumeInstance: {
    method: 'POST',
    path: '/v1/instances/{name}/resume',
    takesKey: true,
  },
  beginJob: {
    method: 'POST',
    path: '/v1/jobs',
  },
  listJobs: {
    method: 'GET',
    path: '/v1/jobs',
  },
  stopJob: {
    method: 'DELETE',
    path: '/v1/jobs/{id}',
  },
  listStories: {
    method: 'GET',
    path: '/v1/stories',
  },
  takeSnapshot: {
    method: 'POST',
    path: '/v1/groups/{instance}/{groupId}/snapshots',
    takesLong: true,
  },
  listSnapshots: {
    method: 'GET',
    path: '/v1/groups/{instance}/{groupId}/snapshots',
  },
  listFindings: {
    method: 'GET',
    path: '/v1/findings',
    takesLong: true,
  },
  decodePayloads: {
    method: 'POST',
    path: '/codec/decode',
  },
  encodePayloads: {
    method: 'POST',
    path: '/codec/encode',
  },
  getCaller: {
    method: 'GET',
    path: '/v1/caller',
  },
  createKey: {
    method: 'POST',
    path: '/v1/keys',
  },
  listKeys: {
    method: 'GET',
    path: '/v1/keys',
  },
  getKey: {
    method: 'GET',
    path: '/v1/keys/{name}',
  },
  rotateKey: {
    method: 'POST',
    path: '/v1/keys/{name}/rotate',
  },
  revokeKey: {
    method: 'POST',
    path: '/v1/keys/{name}/revoke',
  },
  listAudit: {
    method: 'GET',
    path: '/v1/audit',
  },
  livez: {
    method: 'GET',
    path: '/livez',
  },
  readyz: {
    method: 'GET',
    path: '/readyz',
  },
  metrics: {
    method: 'GET',
    path: '/metrics',
    isStreamed: true,
  },
  openapi: {
    method: 'GET',
    path: '/openapi.json',
  },
} as const;
