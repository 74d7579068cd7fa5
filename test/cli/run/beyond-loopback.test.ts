import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { everpost } from '../fake-terminal.js';
import { aFolder } from '../../support/folder.js';

const ACCOUNT = { baseUrl: 'http://127.0.0.1:1', idInstance: '1', apiTokenInstance: 'x' };

it('everpost dev does not start beyond loopback while tokens are missing, and names them with the commands that create them', async () => {
  const folder = aFolder();
  const file = path.join(folder, 'instances.json');
  writeFileSync(
    file,
    JSON.stringify({ shop: ACCOUNT, polled: { ...ACCOUNT, idInstance: '2', notifications: 'poll' } }),
  );
  const dataDir = path.join(folder, 'data');
  const env = { EVERPOST_HTTP_HOST: '0.0.0.0', EVERPOST_INSTANCES_FILE: file };

  const { exitCode, err } = await everpost(['dev', '--http-port', '0', '--data-dir', dataDir], { env });

  expect({ exitCode, err }).toEqual({
    exitCode: 2,
    err: [
      expect.stringMatching(/does not listen on 0\.0\.0\.0 without EVERPOST_API_KEYS, shop\.webhookToken\./),
      expect.stringMatching(/^ {2}EVERPOST_API_KEYS: .*export EVERPOST_API_KEYS=/),
      expect.stringMatching(/^ {2}shop\.webhookToken: .*everpost doctor --fix$/),
    ],
  });
  expect(existsSync(path.join(dataDir, 'temporal.db'))).toBe(false);
});
