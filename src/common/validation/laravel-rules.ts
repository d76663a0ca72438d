import { ValidateBy, ValidateIf, type ValidationArguments } from 'class-validator';
import { isTronAddress } from '../../../config/tron-address';
import { asCompared, countOf, isAbsent, isNumeric, isPhpArray, lengthOf } from './php-values';

type Message = (attribute: string) => string;

/** A rule and its message, with the field's name as Laravel writes it. */
function rule(name: RuleName, holds: (value: unknown) => boolean, message: Message): PropertyDecorator {
  return ValidateBy({
    name,
    validator: {
      validate: holds,
      defaultMessage: (args?: ValidationArguments) => message(args!.property.replaceAll('_', ' ')),
    },
  });
}

/** The order of the messages of one field. */
export const RULE_ORDER = ['required', 'string', 'numeric', 'boolean', 'size', 'min', 'in', 'format'] as const;
export type RuleName = (typeof RULE_ORDER)[number];

/** The other rules of the field are not asked once this one has failed. */
export const Required = () =>
  rule(
    'required',
    (value) => !isAbsent(value) && !(isPhpArray(value) && countOf(value) === 0),
    (attribute) => `The ${attribute} field is required.`,
  );

/** Laravel's `nullable`; a string of nothing but PHP's blanks counts as absent too. */
export const Nullable = () => ValidateIf((_dto, value) => !isAbsent(value));

/** The rules of the field are asked of whatever is given, blanks and all. */
export const Given = () => ValidateIf((_dto, value) => value !== undefined && value !== null);

export const IsText = () =>
  rule(
    'string',
    (value) => typeof value === 'string',
    (attribute) => `The ${attribute} must be a string.`,
  );

export const IsNumber = () => rule('numeric', isNumeric, (attribute) => `The ${attribute} must be a number.`);

/** Laravel compares strictly: 1 and "1" are booleans, 1.0 and "true" are not. */
export const IsBool = () =>
  rule(
    'boolean',
    (value) => typeof value === 'boolean' || value === 0n || value === 1n || value === '0' || value === '1',
    (attribute) => `The ${attribute} field must be true or false.`,
  );

/** For fields without the numeric rule: elements of an array, else characters. */
export const Size = (size: number) =>
  rule(
    'size',
    (value) => (isPhpArray(value) ? countOf(value) : lengthOf(value)) === size,
    (attribute) => `The ${attribute} must be ${size} characters.`,
  );

/** For numeric fields; other values are measured all the same, as an array or by their length. */
export const AtLeast = (minimum: number) =>
  rule(
    'min',
    (value) => {
      if (isNumeric(value)) return asCompared(value).gte(minimum);
      return (isPhpArray(value) ? countOf(value) : lengthOf(value)) >= minimum;
    },
    (attribute) => `The ${attribute} must be at least ${minimum}.`,
  );

/** PHP compares numeric strings as doubles: "10.0" and "1e1" are 10. */
export const OneOf = (...allowed: number[]) =>
  rule(
    'in',
    (value) => isNumeric(value) && allowed.includes(asCompared(value).toNumber()),
    (attribute) => `The selected ${attribute} is invalid.`,
  );

/** Its message is given only when every other rule of the field holds. */
export const Format = (holds: (text: string) => boolean, message: string) =>
  rule(
    'format',
    (value) => typeof value === 'string' && holds(value),
    () => message,
  );

export const IsTronAddress = () =>
  rule(
    'format',
    (value) => typeof value === 'string' && isTronAddress(value),
    (attribute) => `The ${attribute} format is invalid.`,
  );
