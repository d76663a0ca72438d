import { EmailChangeService } from '../../src/auth/email-changes/email-change.service';
import { InvitationService } from '../../src/auth/invitations/invitation.service';
import { SignUpService } from '../../src/auth/sign-ups/sign-up.service';
import { insertPanelUser } from '../support/panel-user';
import { ASKED, MailWorld } from './mail-world';

const EMAIL = 'zoe@shop.example';
const NETWORK = '198.51.100.1';

/** Each link that a stranger may hold, by its table: makes one, and returns the page that it leads to. */
export class MadeLinks {
  private constructor(
    readonly world: MailWorld,
    private readonly user: { readonly id: string; readonly email: string },
  ) {}

  static async open(): Promise<MadeLinks> {
    const world = await MailWorld.open();
    return new MadeLinks(world, await insertPanelUser(world.service, { email: 'ann@example.com' }));
  }

  async clear(): Promise<void> {
    await this.world.clear();
    await this.world.run('delete from invitations');
    await this.world.run('delete from email_changes');
  }

  readonly make = {
    sign_ups: async () => {
      await this.get(SignUpService).ask({ ...ASKED, email: EMAIL, network: NETWORK });
      return this.mailedPath(EMAIL);
    },
    email_changes: async () => {
      await this.get(EmailChangeService).ask({ userId: this.user.id, email: EMAIL, language: 'en', network: NETWORK });
      return this.mailedPath(EMAIL);
    },
    'invitations, to a new password': async () => {
      await this.get(InvitationService).askReset(this.user.email, 'en', NETWORK);
      return this.mailedPath(this.user.email);
    },
    'invitations, from an operator': async () => {
      const { url } = await this.get(InvitationService).invite(this.user.email);
      return url.replace('https://energy.example', '');
    },
  };

  /** Presses the button of a link's page, with a password of one's own. */
  use(path: string) {
    const form = { password: 'four other words of hers', again: 'four other words of hers' };
    return this.world.visitor().submit('/panel/sign-in', path, form);
  }

  get<Service>(service: new (...all: never[]) => Service): Service {
    return this.world.service.app.get(service);
  }

  private async mailedPath(address: string): Promise<string> {
    await this.world.send();
    return this.world.pathTo(address);
  }
}

export const LINK_KINDS = [
  'sign_ups',
  'email_changes',
  'invitations, to a new password',
  'invitations, from an operator',
] as const satisfies readonly (keyof MadeLinks['make'])[];
