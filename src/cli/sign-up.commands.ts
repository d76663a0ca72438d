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
  description: 'open the account of a sign-up that waits, and tell the user by mail',
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
  description: 'refuse a sign-up that waits, and tell the applicant why by mail',
  options: [{ flags: '--note <text>', description: 'the reason, which the mail quotes', read: String, required: true }],
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
  description:
    'change the e-mail address of a user at once, end the links that went to the old address, and notify that address by mail',
  options: [{ flags: '--to <email>', read: checkEmail, required: true }],
})
export class UserChangeEmailCommand extends CliCommand {
  @Inject() private readonly admin!: SignUpAdminService;

  async run([email]: string[], options: OutputOptions & { to: string }): Promise<void> {
    printDocument(userDocument(await this.admin.changeEmail(commandLineOperator(), email!, options.to)), options);
  }
}
