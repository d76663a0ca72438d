import { Inject } from '@nestjs/common';
import { SignUpAdminService } from '../admin/sign-up-admin.service';
import { checkEmail } from '../users/user.validation';
import { CliCommand, Command } from './cli-command';
import { commandLineOperator } from './command-line.operator';
import { type OutputOptions, printDocument } from './output';
import { signUpDocument, userDocument } from './user.documents';

const BY_EMAIL = { name: '<email>', read: checkEmail };

@Command({
  name: 'user:approve',
  argument: BY_EMAIL,
  description: 'open an account for somebody who has signed up and waits, and say so by mail',
})
export class UserApproveCommand extends CliCommand {
  @Inject() private readonly admin!: SignUpAdminService;

  async run([email]: string[], options: OutputOptions): Promise<void> {
    printDocument(userDocument(await this.admin.approve(commandLineOperator(), email!)), options);
  }
}

@Command({
  name: 'user:refuse',
  argument: BY_EMAIL,
  description: 'refuse somebody who has signed up and waits, and say why by mail',
  options: [{ flags: '--note <text>', description: 'the reason, as the mail gives it', read: String, required: true }],
})
export class UserRefuseCommand extends CliCommand {
  @Inject() private readonly admin!: SignUpAdminService;

  async run([email]: string[], options: OutputOptions & { note: string }): Promise<void> {
    printDocument(signUpDocument(await this.admin.refuse(commandLineOperator(), email!, options.note)), options);
  }
}

@Command({
  name: 'user:change-email',
  argument: BY_EMAIL,
  description: 'give a user another address at once, end the links to the old one and tell it by mail',
  options: [{ flags: '--to <email>', read: checkEmail, required: true }],
})
export class UserChangeEmailCommand extends CliCommand {
  @Inject() private readonly admin!: SignUpAdminService;

  async run([email]: string[], options: OutputOptions & { to: string }): Promise<void> {
    printDocument(userDocument(await this.admin.changeEmail(commandLineOperator(), email!, options.to)), options);
  }
}
