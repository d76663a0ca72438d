import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIGURATION, type Configuration } from '../../config/configuration';
import { ApiTokenService } from '../auth/tokens/api-token.service';
import { TokenLookup } from '../auth/tokens/token-lookup';
import { PERMISSIONS } from '../users/permissions';

/** The one token that is kept readable, for it is worth play money: a second start prints the same. */
@Injectable()
export class DemoToken {
  private readonly file: string;

  constructor(
    @Inject(CONFIGURATION) { dataDir }: Configuration,
    private readonly tokens: ApiTokenService,
    private readonly lookup: TokenLookup,
  ) {
    this.file = join(dataDir, 'demo.json');
  }

  async findOrCreate(userId: string): Promise<string> {
    const kept = this.read();
    // Kept from another database, or revoked since: then it is of no use.
    if (kept !== null && (await this.lookup.findUser(kept))?.id === userId) return kept;
    const { token } = await this.tokens.create({ userId, name: 'Demonstration', permissions: PERMISSIONS });
    this.keep({ token });
    return token;
  }

  /** Where this start listens, so that the demonstration finds it whatever the settings of its own shell are. */
  keepAddress(url: string): void {
    const token = this.read();
    if (token !== null) this.keep({ token, url });
  }

  private keep(demo: { readonly token: string; readonly url?: string }): void {
    writeFileSync(`${this.file}.${process.pid}`, JSON.stringify(demo), { mode: 0o600 });
    renameSync(`${this.file}.${process.pid}`, this.file);
  }

  private read(): string | null {
    try {
      return (JSON.parse(readFileSync(this.file, 'utf8')) as { token: string }).token;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw error;
    }
  }
}
