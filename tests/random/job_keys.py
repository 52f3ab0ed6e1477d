"""Keys of jobs in configs that are flat: "job.NAME.workload.tasks", "job.NAME.start_cycles"."""


def split(key):
    """(job, key as a job has it: "workload.tasks", "start_cycles"); of keys of no job (None, key)."""
    return tuple(key.split(".", 2)[1:]) if key.startswith("job.") else (None, key)


def job_names(keys):
    """Jobs of a config, in its order."""
    return list(dict.fromkeys(key.split(".", 2)[1] for key in keys if key.startswith("job.")))


def of_job(keys, name):
    """Keys of a job as it has them."""
    return {split(key)[1]: value for key, value in keys.items() if split(key)[0] == name}


def setting_of(key):
    """The setting that a key is of: "workload.tasks", "job.start_cycles"."""
    name, inner = split(key)
    return f"job.{inner}" if name is not None and "." not in inner else inner
