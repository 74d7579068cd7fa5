/** The response of the server of a link. The simulator fetches no links: a test states it by `POST /_sim/files`. */
export interface FileFacts {
  readonly url: string;
  readonly contentType?: string;
  /** The first bytes of the file, as hex digits. */
  readonly bytesHex?: string;
  readonly sizeBytes?: number;
}

export const MAX_FILE_BYTES = 100 * 1024 * 1024;

const DOCUMENTS = 'pdf doc docx xls xlsx ppt pptx txt csv zip rtf odt json xml'.split(' ');
const EXTENSIONS: readonly (readonly [FileType, readonly string[]])[] = [
  ['imageMessage', ['jpg', 'jpeg', 'png', 'gif', 'webp', 'bmp']],
  ['videoMessage', ['mp4', 'mov', '3gp', 'avi', 'mkv']],
  ['audioMessage', ['mp3', 'ogg', 'oga', 'opus', 'wav', 'aac', 'm4a', 'amr']],
  ['documentMessage', DOCUMENTS],
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
export function fileType(fileName: string, { contentType = '', bytesHex = '' }: Partial<FileFacts> = {}): FileType {
  const extension = /\.([^.]+)$/.exec(fileName)?.[1]?.toLowerCase() ?? '';
  const byExtension = EXTENSIONS.find(([, extensions]) => extensions.includes(extension))?.[0];
  if (byExtension !== undefined) return byExtension;
  if (contentType.startsWith('image/')) return 'imageMessage';
  if (contentType.startsWith('video/')) return 'videoMessage';
  if (contentType.startsWith('audio/')) return 'audioMessage';
  if (contentType !== '' && contentType !== 'application/octet-stream') return 'documentMessage';
  const bytes = bytesHex.toLowerCase();
  // In an mp4, four bytes of length come before 'ftyp'.
  if (bytes.slice(8, 16) === '66747970') return 'videoMessage';
  return MAGIC.find(([start]) => bytes.startsWith(start))?.[1] ?? 'documentMessage';
}
