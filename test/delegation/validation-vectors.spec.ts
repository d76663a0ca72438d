import type { NestExpressApplication } from '@nestjs/platform-express';
import { startProbeApp } from '../support/probe-app';
import recorded from '../support/validation-vectors.json';

interface Vector {
  name: string;
  body: string;
  details: Record<string, string[]>;
}

describe('what Laravel answered, this service answers', () => {
  let app: NestExpressApplication;
  let url: string;

  beforeAll(async () => {
    app = await startProbeApp();
    url = `${await app.getUrl()}/api/chain/delegate-resource`;
  });
  afterAll(() => app.close());

  it.each(recorded as Vector[])('$name', async ({ body, details }) => {
    const response = await fetch(url, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
    const answer = (await response.json()) as { success: boolean; error?: string; details?: unknown };
    if (Object.keys(details).length === 0) {
      expect(answer.success).toBe(true);
      return;
    }
    expect(response.status).toBe(400);
    expect(answer.error).toBe('参数验证失败');
    // As text: the order of fields and messages is part of the answer.
    expect(JSON.stringify(answer.details)).toBe(JSON.stringify(details));
  });
});
