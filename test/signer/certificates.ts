import { runProgram } from '../support/program';

/** Names of files in the folder: what an authority has signed, and its own certificate. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

async function openssl(cwd: string, ...args: string[]): Promise<void> {
  const { code, stderr } = await runProgram(['openssl', ...args], { cwd });
  if (code !== 0) throw new Error(`openssl ${args[0]}: ${stderr}`);
}

/** Keys of certificates (P-256) and their certificates, made by openssl in a folder. */
export class Authority {
  private constructor(
    private readonly folder: string,
    readonly name: string,
  ) {}

  get cert(): string {
    return `${this.folder}/${this.name}.pem`;
  }

  static async make(folder: string, name: string): Promise<Authority> {
    const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', `${name}.key`];
    await openssl(folder, 'req', '-x509', ...key, '-out', `${name}.pem`, '-subj', `/CN=${name}`, '-days', '2');
    return new Authority(folder, name);
  }

  /** For 127.0.0.1. */
  async sign(name: string, days = 2): Promise<Certificate> {
    const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', `${name}.key`];
    const addition = ['-addext', 'subjectAltName=IP:127.0.0.1'];
    await openssl(this.folder, 'req', '-new', ...key, ...addition, '-out', `${name}.csr`, '-subj', `/CN=${name}`);
    const by = ['-CA', `${this.name}.pem`, '-CAkey', `${this.name}.key`, '-copy_extensions', 'copy'];
    await openssl(
      this.folder,
      'x509',
      '-req',
      '-in',
      `${name}.csr`,
      ...by,
      '-out',
      `${name}.pem`,
      '-days',
      String(days),
    );
    return { cert: `${this.folder}/${name}.pem`, key: `${this.folder}/${name}.key` };
  }
}
