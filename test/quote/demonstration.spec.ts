import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
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

  const demonstrate = (settings: Record<string, string>) =>
    new Child([join(ROOT, 'scripts', 'demonstrate.mjs')], settings, ROOT).ended;

  it('shows quote, order and a transfer that burns no TRX, beside npm start', async () => {
    const { url } = await service.printedOrder();
    // On a free port, which nothing in this shell names.
    expect(new URL(url).port).not.toBe('3000');
    const { stdout, stderr, code } = await demonstrate({ DATA_DIR: directory });
    expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
    expect(stdout).toMatch(
      /1\. Quote: +130285 energy: 2\.005 transactions for 0 TRX \(subscription pays\).* 13\.0285 TRX/,
    );
    expect(stdout).toMatch(/2\. Order: +委托成功, [0-9a-f]{64}/);
    expect(stdout).toMatch(/3\. Transfer: +SUCCESS, 130285 energy used/);
    expect(stdout).toMatch(/TRX burned: +0\n$/);
  });

  it('moves no money where another service, or none, answers', async () => {
    const stranger = createServer((_request, response) => response.writeHead(401).end('{"success":false}'));
    await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve));
    const { port } = stranger.address() as AddressInfo;
    for (const API_URL of [`http://127.0.0.1:${port}`, 'http://127.0.0.1:1']) {
      const { stdout, stderr, code } = await demonstrate({ DATA_DIR: directory, API_URL });
      expect([code, stdout, stderr]).toEqual([1, '', expect.stringContaining('Is npm start running here')]);
    }
    stranger.close();
  });
});
