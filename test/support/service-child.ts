import { join } from 'node:path';
import { compileCache, ensureBuild } from './build';
import { Child } from './child';

/** The built service in a process of its own, on a given database and node. */
export class ServiceChild extends Child {
  url = '';

  constructor(env: Record<string, string>) {
    super([join(ensureBuild(), 'src/main.js')], {
      PORT: '0',
      LOG_LEVEL: 'silent',
      NODE_COMPILE_CACHE: compileCache(),
      ...env,
    });
  }

  async ready(): Promise<void> {
    this.url = (await this.waitFor(/API\s+(http:\/\/\S+)/))[1]!;
  }
}
