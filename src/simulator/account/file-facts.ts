/** The response of the server of a link. The simulator fetches no links: a test states it by `POST /_sim/files`. */
export interface FileFacts {
  readonly url: string;
  readonly contentType?: string;
  /** The first bytes of the file, as hex digits. */
  readonly bytesHex?: string;
  readonly sizeBytes?: number;
}

export const MAX_FILE_BYTES = 100 * 1024 * 1024;

const IMAGES = ['jpg', 'jpeg', 'png', 'gif', 'webp', 'bmp'];
const VIDEOS = ['mp4', 'mov', '3gp', 'avi', 'mkv'];
const AUDIOS = ['mp3', 'ogg', 'oga', 'opus', 'wav', 'aac', 'm4a', 'amr'];
const DOCUMENTS = [
  'pdf',
  'doc',
  'docx',
  'xls',
  'xlsx',
  'ppt',
  'pptx',
  'txt',
  'csv',
  'zip',
  'rtf',
  'odt',
  'json',
  'xml',
];
/** The first bytes that identify a type, as hex digits. */
const MAGIC: readonly (readonly [string, FileType])[] = [
  ['89504e47', 'imageMessage'],
  ['ffd8ff', 'imageMessage'],
  ['47494638', 'imageMessage'],
  ['494433', 'audioMessage'],
  ['4f676753', 'audioMessage'],
  ['1a45dfa3', 'videoMessage'],
  ['25504446', 'documentMessage'],
];

export type FileType = 'imageMessage' | 'videoMessage' | 'audioMessage' | 'documentMessage';

/**
 * The type under which a file arrives: by the extension in fileName, else by the link's Content-Type, else by its
 * bytes, else a binary file.
 */
export function fileType(fileName: string, facts: FileFacts | undefined): FileType {
  return byExtension(fileName) ?? byContentType(facts?.contentType) ?? byBytes(facts?.bytesHex) ?? 'documentMessage';
}

function byExtension(fileName: string): FileType | undefined {
  const extension = /\.([^.]+)$/.exec(fileName)?.[1]?.toLowerCase() ?? '';
  if (IMAGES.includes(extension)) return 'imageMessage';
  if (VIDEOS.includes(extension)) return 'videoMessage';
  if (AUDIOS.includes(extension)) return 'audioMessage';
  return DOCUMENTS.includes(extension) ? 'documentMessage' : undefined;
}

function byContentType(contentType = ''): FileType | undefined {
  if (contentType.startsWith('image/')) return 'imageMessage';
  if (contentType.startsWith('video/')) return 'videoMessage';
  if (contentType.startsWith('audio/')) return 'audioMessage';
  return contentType === '' || contentType === 'application/octet-stream' ? undefined : 'documentMessage';
}

function byBytes(bytesHex = ''): FileType | undefined {
  // In an mp4, four bytes of length come before 'ftyp'.
  if (bytesHex.slice(8, 16).toLowerCase() === '66747970') return 'videoMessage';
  return MAGIC.find(([start]) => bytesHex.toLowerCase().startsWith(start))?.[1];
}
