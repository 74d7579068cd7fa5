// Makes every generated file again, from the build.
import { execFileSync } from 'node:child_process';
import { GENERATED_FILES } from './generated-files.js';

for (const { file, script } of GENERATED_FILES) {
  execFileSync(process.execPath, [script], { stdio: 'inherit' });
  console.log(`${file} made by ${script}`);
}
