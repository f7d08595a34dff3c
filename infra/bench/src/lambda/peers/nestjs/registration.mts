/** The body of a registration with a password, and its validation. */

import {
  IsDefined,
  IsNotEmpty,
  IsOptional,
  IsString,
  MaxLength,
  ValidateBy,
  type ValidationArguments,
  type ValidationError,
} from "class-validator";

import {
  DEFAULT_GROUP,
  GROUPS,
  LONGEST_BLOB,
  LONGEST_CODE,
  LONGEST_EMAIL,
  LONGEST_HINT,
  LONGEST_SALT,
  LONGEST_VERIFIER,
  inOrder,
  messages,
  wrongBlob,
  wrongEmail,
  wrongGroup,
  wrongSalt,
  wrongVerifier,
} from "../domain/inputs.mjs";
import { Problem } from "../domain/problems.mjs";

/** The error of a field for the client: its first failed constraint. */
const ORDER = ["isDefined", "isString", "isNotEmpty", "maxLength", "is"];

const told = { message: ({ value }: ValidationArguments) => messages.type(value, "a string") };

/** A constraint of the domain. `wrong` returns the error of an invalid value. */
const Is = (wrong: (value: any, body: any) => string | undefined) =>
  ValidateBy({
    name: "is",
    validator: {
      validate: (value, { object }: any) => wrong(value, object) === undefined,
      defaultMessage: ({ value, object }: any) => wrong(value, object) ?? "",
    },
  });

/** The same for strings only. */
const IsText = (wrong: (text: string, body: any) => string | undefined) =>
  Is((value, body) => (typeof value === "string" ? wrong(value, body) : undefined));

function Text(longest: number): PropertyDecorator {
  const parts = [
    IsDefined({ message: messages.required }),
    IsString(told),
    IsNotEmpty({ message: messages.empty }),
    MaxLength(longest, { message: messages.atMost(longest) }),
  ];
  return (target, property) => parts.forEach((part) => part(target, property as string));
}

function OptionalText(longest: number): PropertyDecorator {
  const parts = [
    IsOptional(),
    IsString(told),
    MaxLength(longest, { message: messages.atMost(longest) }),
  ];
  return (target, property) => parts.forEach((part) => part(target, property as string));
}

const NotTaken = () => Is((value) => (value === null || value === undefined ? undefined : messages.tradingKey));

export class RegisterSrp {
  @Text(LONGEST_EMAIL)
  @IsText(wrongEmail)
  email: string;

  @Text(LONGEST_SALT)
  @IsText(wrongSalt)
  srpSalt: string;

  @IsOptional()
  @Is(wrongGroup)
  srpGroup?: number;

  @Text(LONGEST_VERIFIER)
  @IsText((text, { srpGroup }) => {
    const group = srpGroup ?? DEFAULT_GROUP;
    return GROUPS.includes(group) ? wrongVerifier(text, group) : undefined;
  })
  srpVerifier: string;

  @Text(LONGEST_BLOB)
  @IsText(wrongBlob)
  encryptedBlob: string;

  @OptionalText(LONGEST_HINT)
  passwordHint?: string;

  @OptionalText(LONGEST_CODE)
  referralCode?: string;

  @NotTaken()
  tradingPublicKey?: unknown;

  @NotTaken()
  challengeId?: unknown;

  @NotTaken()
  signature?: unknown;
}

/** All missing or invalid fields. */
export function fieldErrors(errors: ValidationError[]) {
  const told = errors.map(({ property: field, constraints = {} }) => {
    const failed = ORDER.find((name) => name in constraints) ?? "is";
    return { field, message: constraints[failed] };
  });
  return Problem.fields(inOrder(told) as any);
}
