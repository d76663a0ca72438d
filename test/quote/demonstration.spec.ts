import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Child } from '../support/child';
import { ServiceProcess } from '../support/service-process';

const ROOT = join(__dirname, '..', '..');

describe('npm run demonstrate', () => {
  const directory = mkdtempSync(join(tmpdir(), 'energy-delegation-service-'));
  chmodSync(directory, 0o755);
  const service = new ServiceProcess({ LOCAL_CHAIN_BLOCK: '500ms', DATA_DIR: directory });
  afterAll(async () => {
    await service.stop('SIGTERM');
    rmSync(directory, { recursive: true, force: true });
  });

  it('shows quote, order and a transfer that burns no TRX, beside npm start', async () => {
    const { url } = await service.printedOrder();
    const settings = { API_URL: new URL(url).origin, DATA_DIR: directory };
    const { stdout, stderr, code } = await new Child([join(ROOT, 'scripts', 'demonstrate.mjs')], settings, ROOT).ended;
    expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
    expect(stdout).toMatch(
      /1\. Quote: +130285 energy: 2\.005 transactions for 0 TRX \(subscription pays\).* 13\.0285 TRX/,
    );
    expect(stdout).toMatch(/2\. Order: +委托成功, [0-9a-f]{64}/);
    expect(stdout).toMatch(/3\. Transfer: +SUCCESS, 130285 energy used/);
    expect(stdout).toMatch(/TRX burned: +0\n$/);
  });
});
